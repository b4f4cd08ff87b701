/** Tests of what the lab measures. */
package io.poolkeeper.lab.scenario;

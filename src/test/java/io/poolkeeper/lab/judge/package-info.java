/** Tests of what the lab holds against the controller. */
package io.poolkeeper.lab.judge;

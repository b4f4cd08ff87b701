/** Tests of the lab's measurements. */
package io.poolkeeper.lab.report;

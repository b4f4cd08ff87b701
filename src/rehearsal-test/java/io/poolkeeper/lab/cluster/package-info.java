/** Tests of the lab's API server. */
package io.poolkeeper.lab.cluster;

/**
 * Compares the simulator with recorded exchanges with Azure: replays the requests on the model, and
 * says where its answers differ. Pure but for the reading of the file.
 */
@NullMarked
package io.poolkeeper.armsim.compare;

import org.jspecify.annotations.NullMarked;

/**
 * The nodes that are leaving: the signals on Nodes, which nodes are out of service because of
 * signals, and what people hear of that (spec 2). Start in {@code NodeCore}.
 */
@NullMarked
package io.poolkeeper.node;

import org.jspecify.annotations.NullMarked;

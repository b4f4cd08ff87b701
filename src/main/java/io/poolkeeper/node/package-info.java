/**
 * The nodes that are leaving: the signals on Nodes, who is out of service because of them, and what
 * people hear of it (spec 2). Start in {@code NodeCore}.
 */
@NullMarked
package io.poolkeeper.node;

import org.jspecify.annotations.NullMarked;

/** Takes everything of ours out of Azure and the cluster (interfaces, Command line). */
@NullMarked
package io.poolkeeper.uninstall;

import org.jspecify.annotations.NullMarked;

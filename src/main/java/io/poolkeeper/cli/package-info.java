/**
 * The command line: one class per command, and the exit codes and streams that all of them share.
 */
@NullMarked
package io.poolkeeper.cli;

import org.jspecify.annotations.NullMarked;

/** The command line: one class per command, and their common exit codes and output streams. */
@NullMarked
package io.poolkeeper.cli;

import org.jspecify.annotations.NullMarked;

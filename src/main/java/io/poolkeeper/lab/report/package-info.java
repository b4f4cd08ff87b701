/** The report of a rehearsal, as JSON and as a table. */
@NullMarked
package io.poolkeeper.lab.report;

import org.jspecify.annotations.NullMarked;

/** What a rehearsal measured: for programs as JSON, for people as a table. */
@NullMarked
package io.poolkeeper.lab.report;

import org.jspecify.annotations.NullMarked;

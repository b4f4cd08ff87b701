/** Figures, not tests: each has a main and prints what it measured. */
package io.poolkeeper.bench;

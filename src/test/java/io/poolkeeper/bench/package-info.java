/** Benchmarks, not tests: each has a main and prints its figures. */
package io.poolkeeper.bench;

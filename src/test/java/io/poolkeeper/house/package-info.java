/**
 * The project's own rules as tests: dependencies between rooms, the form of sources, and the
 * consistency of shipped files.
 */
package io.poolkeeper.house;

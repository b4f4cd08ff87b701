/**
 * The project's own rules as tests: which room may know which, how sources look, and that the
 * shipped files hold together.
 */
package io.poolkeeper.house;

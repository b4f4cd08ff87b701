/**
 * Certificates: that of a server, read from PEM files or made by itself, and those that are
 * trusted. Knows the JDK alone.
 */
@NullMarked
package io.poolkeeper.tls;

import org.jspecify.annotations.NullMarked;

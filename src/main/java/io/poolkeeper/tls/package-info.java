/** The certificate of a server: read from PEM files, or made by itself. Knows the JDK alone. */
@NullMarked
package io.poolkeeper.tls;

import org.jspecify.annotations.NullMarked;

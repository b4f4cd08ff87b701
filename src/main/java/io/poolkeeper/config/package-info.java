/** Reads HOCON and the cloud provider's azure.json into one validated record. */
@NullMarked
package io.poolkeeper.config;

import org.jspecify.annotations.NullMarked;

/** The packaged program as processes, as users and Pods run it. */
package io.poolkeeper.system;

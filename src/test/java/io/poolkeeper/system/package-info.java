/** The packaged program as processes of their own, as people and Pods run it. */
package io.poolkeeper.system;

/**
 * Resource Manager's resources other than load balancers, of any provider, as a pure store of JSON
 * documents: unknown members are kept, known types get the server's members.
 */
@NullMarked
package io.poolkeeper.armsim.resource;

import org.jspecify.annotations.NullMarked;

/**
 * Resource Manager's resources other than load balancers, of any provider, as a pure store of JSON
 * documents: unknown members are kept, known types get the members that a server would add.
 */
@NullMarked
package io.poolkeeper.armsim.resource;

import org.jspecify.annotations.NullMarked;

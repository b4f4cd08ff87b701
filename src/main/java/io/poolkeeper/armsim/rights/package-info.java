/** Who may do what where: the rights of callers, and the refusals of those who lack one. */
@NullMarked
package io.poolkeeper.armsim.rights;

import org.jspecify.annotations.NullMarked;

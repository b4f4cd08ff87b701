/** The simulator's and the controller's words, held against Azure's own description of them. */
@NullMarked
package io.poolkeeper.armsim.swagger;

import org.jspecify.annotations.NullMarked;

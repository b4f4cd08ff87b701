/** The container image: its archive is written at the end of a build, and tried. */
package io.poolkeeper.image;

/** What an installation lacks: rights, Leases, networks, time; each with what to do about it. */
@NullMarked
package io.poolkeeper.doctor;

import org.jspecify.annotations.NullMarked;

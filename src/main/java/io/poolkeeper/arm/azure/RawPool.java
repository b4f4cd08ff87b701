package io.poolkeeper.arm.azure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.PoolView;

/** A pool as a GET returned it. The tree is never changed: an edit works on a copy. */
record RawPool(PoolView view, ObjectNode raw) implements PoolDocument {}

package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A write that was applied.
 *
 * @param owner the document with the written part
 * @param content the written part as a GET shows it
 * @param created whether it is new
 * @param running whether its operation has to be completed
 * @param followed whether the client gets an operation to poll
 */
public record Written(
    Resource owner, ObjectNode content, boolean created, boolean running, boolean followed) {}

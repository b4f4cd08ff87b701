package io.poolkeeper.armsim.resource;

import io.poolkeeper.armsim.protocol.ArmJson.Content;

/**
 * A write that was applied.
 *
 * @param owner the document that holds what was written
 * @param content what was written, as a GET would show it
 * @param created whether it was not there before
 * @param running whether its operation has to be completed
 * @param followed whether a client is given an operation to follow
 */
public record Written(
    Resource owner, Content content, boolean created, boolean running, boolean followed) {}

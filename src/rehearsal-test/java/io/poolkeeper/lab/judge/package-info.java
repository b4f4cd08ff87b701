/** Tests of the lab's judge. */
package io.poolkeeper.lab.judge;

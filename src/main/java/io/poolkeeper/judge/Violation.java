package io.poolkeeper.judge;

/**
 * Something was wrong for longer than its bound; the text says since when and what was deducted.
 */
public record Violation(Subject subject, String text) {}

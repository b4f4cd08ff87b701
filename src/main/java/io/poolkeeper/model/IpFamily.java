package io.poolkeeper.model;

/** The family of an address, and so of a backend pool. */
public enum IpFamily {
  IPV4,
  IPV6
}

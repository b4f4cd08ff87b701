package io.poolkeeper.admission;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;

/** The two ends of a valid binding. */
public record BindingTarget(ServiceKey service, PoolReference pool, IpFamily family) {}

package io.poolkeeper.admission;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;

/** What a valid binding binds to what. */
public record BindingTarget(ServiceKey service, PoolReference pool, IpFamily family) {}

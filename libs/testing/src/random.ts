/** What properties need, without the servers and databases of the other tests. */
export * from './factories/billing-runs.js';
export * from './random/expect-equal.js';
export * from './random/numbers-from.js';
export * from './random/property-runs.js';
export * from './random/test-seed.js';

import { getBalanceOperation } from './balance.js';
import { getCallsOperation, listCallsOperation } from './calls.js';
import { listFiltersOperation } from './filters.js';
import { lookUpAccountOperation, lookUpAccountsOperation } from './lookup.js';
import { type PublicOperation } from './operation.js';
import { getCreatorProfileOperation } from './profile.js';
import { getCreatorProfilesOperation } from './profiles.js';
import { searchCreatorsOperation } from './search.js';
import { getUsageOperation } from './usage.js';

export * from './balance.js';
export * from './calls.js';
export * from './credits.js';
export * from './errors.js';
export * from './filters.js';
export * from './headers.js';
export * from './limits.js';
export * from './lookup.js';
export * from './operation.js';
export * from './profile.js';
export * from './profiles.js';
export * from './search.js';
export * from './usage.js';

/** The operations of the public API, in the order of its documents. */
export const publicOperations: readonly PublicOperation[] = [
  searchCreatorsOperation,
  getCreatorProfileOperation,
  getCreatorProfilesOperation,
  listFiltersOperation,
  lookUpAccountOperation,
  lookUpAccountsOperation,
  getBalanceOperation,
  getUsageOperation,
  listCallsOperation,
  getCallsOperation,
];

/** The operations that are tools over MCP, in the order in which a model should consider them. */
export const toolOperations = [
  listFiltersOperation,
  searchCreatorsOperation,
  lookUpAccountsOperation,
  getCreatorProfileOperation,
  getCreatorProfilesOperation,
  getBalanceOperation,
] as const;

/**
 * Raise it, by one at most between two releases, with an operation or anything else for which a gateway needs of billing or the
 * catalog what the last release does not know: a new message, or a new field that must not be ignored. A new gateway is ready
 * only once no live replica of them is of an earlier revision.
 */
export const messageRevision = 1;

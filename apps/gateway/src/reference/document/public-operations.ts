import { getBalanceOperation } from '../../routes/get-balance/get-balance.openapi.js';
import { getCreatorProfileOperation } from '../../routes/get-creator-profile/get-creator-profile.openapi.js';
import { getUsageOperation } from '../../routes/get-usage/get-usage.openapi.js';
import { getCallsOperation, listCallsOperation } from '../../routes/list-calls/list-calls.openapi.js';
import { listFiltersOperation } from '../../routes/list-filters/list-filters.openapi.js';
import {
  lookUpAccountOperation,
  lookUpAccountsOperation,
} from '../../routes/look-up-accounts/look-up-accounts.openapi.js';
import { searchCreatorsOperation } from '../../routes/search-creators/search-creators.openapi.js';
import { type DescribedOperation } from '../../openapi/operation.js';

/** The operations of the public API, in the order of the reference page. */
export const publicOperations: readonly DescribedOperation[] = [
  searchCreatorsOperation,
  getCreatorProfileOperation,
  listFiltersOperation,
  lookUpAccountOperation,
  lookUpAccountsOperation,
  getBalanceOperation,
  getUsageOperation,
  listCallsOperation,
  getCallsOperation,
];

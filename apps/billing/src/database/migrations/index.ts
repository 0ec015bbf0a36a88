import { Ledger1763676000000 } from './0001-ledger.js';
import { RulesOnShards1795219200000 } from './0002-rules-on-shards.js';

/** Every migration of the billing database, in order; new ones are added at the end and never edited. */
export const migrations = [Ledger1763676000000, RulesOnShards1795219200000];

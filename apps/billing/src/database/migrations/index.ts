import { Ledger1763676000000 } from './0001-ledger.js';
import { RulesOnShards1795219200000 } from './0002-rules-on-shards.js';
import { RulesForALesserRole1795824000000 } from './0003-rules-for-a-lesser-role.js';
import { IdempotencyKeys1796083200000 } from './0004-idempotency-keys.js';
import { RefusedCharges1796169600000 } from './0005-refused-charges.js';

/** Every migration of the billing database, in order; new ones are added at the end and never edited. */
export const migrations = [
  Ledger1763676000000,
  RulesOnShards1795219200000,
  RulesForALesserRole1795824000000,
  IdempotencyKeys1796083200000,
  RefusedCharges1796169600000,
];

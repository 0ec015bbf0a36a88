import { Ledger1763676000000 } from './0001-ledger.js';
import { RulesOnShards1795219200000 } from './0002-rules-on-shards.js';
import { RulesForALesserRole1795824000000 } from './0003-rules-for-a-lesser-role.js';
import { IdempotencyKeys1796083200000 } from './0004-idempotency-keys.js';
import { RefusedCharges1796169600000 } from './0005-refused-charges.js';
import { Calls1796256000000 } from './0006-calls.js';
import { CallIndexes1796256001000 } from './0007-call-indexes.js';
import { Members1796342400000 } from './0008-members.js';
import { Orders1796428800000 } from './0009-orders.js';
import { Notices1796515200000 } from './0010-notices.js';
import { ComparedAddresses1797000011000 } from './0011-compared-addresses.js';
import { LanesAndReceipts1797000012000 } from './0012-lanes-and-receipts.js';
import { FreeCalls1797000013000 } from './0013-free-calls.js';
import { Invitations1797000015000 } from './0015-invitations.js';
import { EndedOrders1797000016000 } from './0016-ended-orders.js';
import { UnusedAccounts1797000017000 } from './0017-unused-accounts.js';
import { PaidAmounts1797000018000 } from './0018-paid-amounts.js';
import { PaymentEvents1797000019000 } from './0019-payment-events.js';
import { OperatorsDecisions1797000020000 } from './0020-operators-decisions.js';
import { Identities1797000021000 } from './0021-identities.js';

/**
 * Every migration of the billing database, in order; new ones are added at the end and never edited. A query of a new one has one
 * command, which adds a constraint or does something else: Citus changes the tables of a distributed schema in no other way.
 */
export const migrations = [
  Ledger1763676000000,
  RulesOnShards1795219200000,
  RulesForALesserRole1795824000000,
  IdempotencyKeys1796083200000,
  RefusedCharges1796169600000,
  Calls1796256000000,
  CallIndexes1796256001000,
  Members1796342400000,
  Orders1796428800000,
  Notices1796515200000,
  ComparedAddresses1797000011000,
  LanesAndReceipts1797000012000,
  FreeCalls1797000013000,
  Invitations1797000015000,
  EndedOrders1797000016000,
  UnusedAccounts1797000017000,
  PaidAmounts1797000018000,
  PaymentEvents1797000019000,
  OperatorsDecisions1797000020000,
  Identities1797000021000,
];

import { Accounts1797120000000 } from './0001-accounts.js';
import { Credits1797120001000 } from './0002-credits.js';
import { Ledger1797120002000 } from './0003-ledger.js';
import { LotsInPlace1797120003000 } from './0004-lots-in-place.js';
import { PendingCharges1797120004000 } from './0005-pending-charges.js';
import { ChargeIfUnchanged1797120005000 } from './0006-charge-if-unchanged.js';
import { Administration1797120006000 } from './0007-administration.js';
import { SuspensionsAndBudgets1797120007000 } from './0008-suspensions-and-budgets.js';
import { RefundsAndErasures1797120008000 } from './0009-refunds-and-erasures.js';
import { Invoices1797120009000 } from './0010-invoices.js';
import { LedgerMonths1797120010000 } from './0011-ledger-months.js';
import { Archives1797120011000 } from './0012-archives.js';
import { Audits1797120012000 } from './0013-audits.js';
import { LedgerByTime1797120013000 } from './0014-ledger-by-time.js';
import { EntriesBesidesCharges1797120014000 } from './0015-entries-besides-charges.js';
import { AbandonedCalls1797120015000 } from './0016-abandoned-calls.js';
import { Repeats1797120016000 } from './0017-repeats.js';
import { LimitedKeysUnderLock1797120017000 } from './0018-limited-keys-under-lock.js';
import { DefaultMonths1797120018000 } from './0019-default-months.js';

/** Every migration of the billing database, in order; new ones are added at the end and never edited. */
export const migrations = [
  Accounts1797120000000,
  Credits1797120001000,
  Ledger1797120002000,
  LotsInPlace1797120003000,
  PendingCharges1797120004000,
  ChargeIfUnchanged1797120005000,
  Administration1797120006000,
  SuspensionsAndBudgets1797120007000,
  RefundsAndErasures1797120008000,
  Invoices1797120009000,
  LedgerMonths1797120010000,
  Archives1797120011000,
  Audits1797120012000,
  LedgerByTime1797120013000,
  EntriesBesidesCharges1797120014000,
  AbandonedCalls1797120015000,
  Repeats1797120016000,
  LimitedKeysUnderLock1797120017000,
  DefaultMonths1797120018000,
];

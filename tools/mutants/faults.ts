import { type Fault } from './fault.js';
import { faultsBesideTheLedger } from './faults-beside-the-ledger.js';

/**
 * At most fifty, of the kinds that Stryker cannot make: words of SQL, and calls left out. Stryker changes the conditions,
 * operators and blocks of the rules (`stryker.config.mjs`).
 */
export const faults: readonly Fault[] = [
  // Locks and the clock.
  {
    name: 'accounts are not locked',
    find: 'ORDER BY id FOR NO KEY UPDATE${skipLocked}',
    replace: 'ORDER BY id',
    spec: 'account-transactions.int-spec.ts',
  },
  {
    name: 'accounts are locked in the order of their rows',
    find: 'ORDER BY id FOR NO KEY UPDATE${skipLocked}',
    replace: 'FOR NO KEY UPDATE${skipLocked}',
    spec: 'account-transactions.int-spec.ts',
  },
  {
    name: 'the instant of a command is the start of its transaction',
    find: 'SELECT ids, ledger_now() AS now${andAll}',
    replace: 'SELECT ids, now() AS now${andAll}',
    spec: 'account-transactions.int-spec.ts',
  },
  {
    name: 'a transaction works on a snapshot from before its lock',
    find: "{ isolation: 'READ COMMITTED', prepareStatements: true, ...limits }",
    replace: "{ isolation: 'REPEATABLE READ', prepareStatements: true, ...limits }",
    spec: 'account-transactions.int-spec.ts',
  },
  {
    name: 'failed work is committed',
    find: "query('rollback', 'ROLLBACK')",
    replace: "query('rollback', 'COMMIT')",
    spec: 'account-transactions.int-spec.ts',
  },
  {
    name: 'what TypeORM saves is committed at once',
    find: 'markInTransaction(runner);',
    replace: '',
    spec: 'account-transactions.int-spec.ts',
  },
  {
    name: 'the clock does not move within a transaction',
    find: "date_trunc('milliseconds', clock_timestamp())",
    replace: "date_trunc('milliseconds', now())",
    spec: 'account-transactions.int-spec.ts',
  },
  {
    name: 'a key is switched off without the lock',
    find: 'const key = await this.transactions.run([account_id], change, by);',
    replace: 'const key = await this.transactions.run([], change, by);',
    spec: 'api-keys.int-spec.ts',
  },
  {
    name: 'an order is granted without the lock of its account',
    find: 'return this.overdue.runWithAllVoided(order.accountId, (locked) =>',
    replace: 'return this.overdue.transactions.run([], (locked) =>',
    spec: 'order-views.int-spec.ts',
  },
  {
    name: 'what an operator resolves is not in the log',
    find: "await locked.record(changeOf('order.resolved', order, resolved));",
    replace: '',
    spec: 'order-reviews.int-spec.ts',
  },

  // What the database itself refuses.
  {
    name: 'a lot may hold less than nothing',
    find: 'CHECK (remaining BETWEEN 0 AND credits)',
    replace: 'CHECK (remaining <= credits)',
    spec: 'billing/src/database/schema.int-spec.ts',
  },
  {
    name: 'entries can be changed',
    find: 'BEFORE DELETE OR UPDATE ON ledger_entries FOR EACH STATEMENT',
    replace: 'BEFORE DELETE ON ledger_entries FOR EACH STATEMENT',
    spec: 'billing/src/database/schema.int-spec.ts',
  },
  {
    name: 'of the entries of a lot that are written at once only one counts',
    find: 'SELECT account_id, lot_id, sum(credits)::integer AS credits, max(created_at)',
    replace: 'SELECT account_id, lot_id, max(credits)::integer AS credits, max(created_at)',
    spec: 'billing/src/database/schema.int-spec.ts',
  },
  {
    name: 'lots change without an entry',
    find: 'IF pg_trigger_depth() >= 2 THEN',
    replace: 'IF true THEN',
    spec: 'billing/src/database/schema.int-spec.ts',
  },
  {
    name: 'a reference counts as often as it is sent',
    find: 'CONSTRAINT lots_reference_unique UNIQUE (account_id, reference),',
    replace: '',
    spec: 'billing/src/database/schema.int-spec.ts',
  },
  {
    name: 'billing may empty the ledger',
    find: "ledger_entries: 'SELECT, INSERT',",
    replace: "ledger_entries: 'SELECT, INSERT, TRUNCATE',",
    spec: 'billing/src/database/grants.int-spec.ts',
  },
  {
    name: 'billing may write credits into a lot',
    find: "lots: 'SELECT, INSERT, UPDATE (is_open)',",
    replace: "lots: 'SELECT, INSERT, UPDATE (is_open, remaining)',",
    spec: 'billing/src/database/grants.int-spec.ts',
  },

  // Charges, balances and their repetition.
  {
    name: 'an overdue charge is read a moment late',
    find: "account_id = ANY($1::uuid[]) AND state = 'pending' AND pending_until <= (SELECT ledger_now())",
    replace: "account_id = ANY($1::uuid[]) AND state = 'pending' AND pending_until < (SELECT ledger_now())",
    spec: 'ledger-histories.int-spec.ts',
    test: 'from the instant of its time-out',
  },
  {
    name: 'a deleted key pays',
    find: 'active AND deleted_at IS NULL AND suspended_at IS NULL AND NOT ($2 AND owes_since IS NOT NULL)',
    replace: 'active AND suspended_at IS NULL AND NOT ($2 AND owes_since IS NOT NULL)',
    spec: 'api-keys.int-spec.ts',
  },
  {
    name: 'an account that owes can pay',
    find: 'active AND deleted_at IS NULL AND suspended_at IS NULL AND NOT ($2 AND owes_since IS NOT NULL)',
    replace: 'active AND deleted_at IS NULL AND suspended_at IS NULL AND NOT ($2 AND false)',
    spec: 'owing-accounts.int-spec.ts',
  },
  {
    name: 'what was decided before the lock is written although the lots have changed',
    find: 'IF (known_lots, known_remaining) <> (lot_ids, credits_left) THEN',
    replace: 'IF known_lots <> lot_ids THEN',
    spec: 'optimistic-batches.int-spec.ts',
  },
  {
    name: 'a charge that is decided before the lock does not wait for it',
    find: 'FROM accounts AS held WHERE id = ANY(account_ids) ORDER BY id FOR NO KEY UPDATE',
    replace: 'FROM accounts AS held WHERE id = ANY(account_ids)',
    spec: 'optimistic-batches.int-spec.ts',
  },
  {
    name: 'a key is not looked at again under the lock',
    find: 'WHERE deleted_at IS NULL AND active AND suspended_at IS NULL AND NOT (refuses_owing AND owes_since IS NOT NULL)',
    replace: 'WHERE suspended_at IS NULL AND NOT (refuses_owing AND owes_since IS NOT NULL)',
    spec: 'optimistic-batches.int-spec.ts',
  },
  {
    name: 'a secret that was rotated out pays',
    find: 'AND (secret IS NULL OR hash = secret OR',
    replace: 'AND (true OR',
    spec: 'key-rotation.int-spec.ts',
  },
  {
    name: 'a suspended account pays',
    find: 'AND active AND suspended_at IS NULL AND NOT (refuses_owing',
    replace: 'AND active AND NOT (refuses_owing',
    spec: 'suspensions.int-spec.ts',
  },
  {
    name: 'a charge whose void came first is taken',
    find: 'OR EXISTS (SELECT FROM charge_tombstones AS early_voids WHERE charge_id = ANY(charge_ids))',
    replace: '',
    spec: 'optimistic-batches.int-spec.ts',
  },
  {
    name: 'a call is not looked for under its Idempotency-Key',
    find: 'AS former WHERE idempotency_key_hash = ANY(given_hashes)',
    replace: 'AS former WHERE idempotency_key_hash = ANY(key_hashes) AND false',
    spec: 'optimistic-batches.int-spec.ts',
  },
  {
    name: 'a balance counts a lot at the instant of its expiry',
    find: 'lots.account_id = ANY($1::uuid[]) AND lots.expires_at > (',
    replace: 'lots.account_id = ANY($1::uuid[]) AND lots.expires_at >= (',
    spec: 'purchases.int-spec.ts',
  },
  {
    name: 'a balance takes off what an overdue charge gives back',
    find: 'SELECT charges.account_id, -entries.credits',
    replace: 'SELECT charges.account_id, entries.credits',
    spec: 'ledger-histories.int-spec.ts',
    test: 'from the instant of its time-out',
  },
  {
    name: 'lots of one instant have no order in SQL',
    find: '`${table}.purchased_at, ${table}.id`',
    replace: '`${table}.purchased_at`',
    spec: 'lot-order.int-spec.ts',
  },
  {
    name: 'a call is paid again while the first one is pending',
    find: "state IN ('pending', 'posted') AND created_at >",
    replace: "state = 'posted' AND created_at >",
    spec: 'ledger-histories.int-spec.ts',
    test: 'of a paid one is free for 15 minutes',
  },
  {
    name: 'only one call of a batch is found again',
    find: 'FROM unnest($1::text[]) AS calls',
    replace: 'FROM unnest($1[1:1]::text[]) AS calls',
    spec: 'idempotent-calls.int-spec.ts',
    test: 'in one batch',
  },
  {
    name: 'a lot is not written off at the instant of its expiry',
    find: 'WHERE is_open AND expires_at <= (SELECT ledger_now())',
    replace: 'WHERE is_open AND expires_at < (SELECT ledger_now())',
    spec: 'ledger-histories.int-spec.ts',
    test: 'until a millisecond before they expire',
  },
  {
    name: 'paid calls are forgotten with refused ones',
    find: `where: "state = 'refused'"`,
    replace: `where: "state IN ('refused', 'posted')"`,
    spec: 'ledger-histories.int-spec.ts',
    test: 'of a paid one is free for 15 minutes',
  },
  {
    name: 'calls of other accounts are shown',
    find: "account_id = $1 AND state <> 'refused' AND ($2::text",
    replace: "$1::uuid IS NOT NULL AND state <> 'refused' AND ($2::text",
    spec: 'calls.int-spec.ts',
  },

  // The audit.
  {
    name: 'an audit forgets what lies at the instant of a cut',
    find: "const inWindow = 'created_at > $1 AND created_at <= $2'",
    replace: "const inWindow = 'created_at > $1 AND created_at < $2'",
    spec: 'windows.int-spec.ts',
    test: 'at the instant of a cut',
  },
  {
    name: 'a suspect charge is judged without its reversals',
    find: "{ entries: 'charge_id = ANY($1)', subjects: 'id = ANY($1)' }",
    replace: `{ entries: "charge_id = ANY($1) AND type = 'charge'", subjects: 'id = ANY($1)' }`,
    spec: 'windows.int-spec.ts',
    test: 'at full speed',
  },
  {
    name: 'an hourly audit is always due',
    find: "SELECT FROM audits WHERE kind = 'hourly'",
    replace: "SELECT FROM audits WHERE kind = 'none'",
    spec: 'hourly-audit.int-spec.ts',
  },
  {
    name: 'a replica that has lost its audit stores what it has read',
    find: 'if (rows.length === 0) return false;',
    replace: '',
    spec: 'hourly-audit.int-spec.ts',
    test: 'was killed',
  },
  {
    name: 'an audit goes on after it was cancelled',
    find: 'if (!(await this.audits.prolong(id, progress))) gone.abort();',
    replace: 'await this.audits.prolong(id, progress);',
    spec: 'full-audits.int-spec.ts',
    test: 'when it is cancelled',
  },
  {
    name: 'an audit takes the record of an archive for what the file has',
    find: "const wrong = differences(record, found.facts, this.last?.chainHash ?? '')",
    replace: 'const wrong: string[] = []',
    spec: 'archives-audit.int-spec.ts',
  },
  {
    name: 'a month leaves the database while an audit reads it there',
    find: 'LOCK TABLE charges, ledger_entries IN ACCESS SHARE MODE;',
    replace: '',
    spec: 'archives-audit.int-spec.ts',
    test: 'is audited once',
  },
  {
    name: 'charges leave the database with the entries of their month',
    find: "CASE WHEN ${isOfCharges} THEN interval '1 month' ELSE interval '0' END",
    replace: "interval '0'",
    spec: 'archives-audit.int-spec.ts',
  },
  {
    name: 'a page of a statement ends with the months that were read first',
    find: 'if (entries.length === limit || since === oldest) return entries;',
    replace: 'return entries;',
    spec: 'statements.int-spec.ts',
  },
  {
    name: 'a balance is stored while a clock that is put back may write before it',
    find: "date_trunc('hour', ledger_now() - interval '1 day', 'UTC') AS closed",
    replace: "date_trunc('hour', ledger_now(), 'UTC') AS closed",
    spec: 'entry-balances.int-spec.ts',
    test: 'ended a day ago',
  },
  {
    name: 'a stored balance counts the entries of the one before again',
    find: 'AND (former.entry_id IS NULL OR (created_at, id) > (former.created_at, former.entry_id))',
    replace: '',
    spec: 'entry-balances.int-spec.ts',
    test: 'whichever of them are known',
  },
  {
    name: 'the full audit takes stored balances for right',
    find: '[keySpending, entryBalance]',
    replace: '[keySpending]',
    spec: 'audit.service.int-spec.ts',
  },

  ...faultsBesideTheLedger,
];

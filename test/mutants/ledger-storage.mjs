const charges = 'apps/billing/src/ledger/charge.repository.ts';
const commands = 'apps/billing/src/ledger/ledger-transactions.ts';
const locks = 'apps/billing/src/database/account-transactions.ts';
const transactionRunner = 'libs/platform/src/database/transaction-runner.ts';
const schema = 'apps/billing/src/database/migrations/0001-ledger.ts';
const rules = 'apps/billing/src/database/migrations/0002-rules-on-shards.ts';
const grants = 'apps/billing/src/database/grants.ts';
const rulesForRoles = 'apps/billing/src/database/migrations/0003-rules-for-a-lesser-role.ts';
const byCharges = ['apps/billing/src/ledger/charge.service.int-spec.ts'];
const byCommands = ['apps/billing/src/ledger/ledger-transactions.int-spec.ts'];
const byLock = ['apps/billing/src/database/lock-and-clock.int-spec.ts'];
const byLockedAccounts = ['apps/billing/src/database/account-transactions.int-spec.ts'];
const byMicroBatches = ['apps/billing/src/ledger/micro-batches.spec.ts'];
const byManyOverdue = ['apps/billing/src/ledger/many-overdue.int-spec.ts'];
const bySchema = ['apps/billing/src/database/schema.int-spec.ts'];
const byGrants = ['apps/billing/src/database/grants.int-spec.ts'];

/** What is read and written for a charge. */
const storage = [
  {
    name: 'overdue charges are not looked for before a command',
    file: commands,
    from: 'batch.voidOverdue(overdueMax);',
    to: '',
    killedBy: byCharges,
  },
  {
    name: 'each command of a batch gets the answer of the next',
    file: 'apps/billing/src/ledger/micro-batches.ts',
    from: 'const outcome = outcomes[index] ??',
    to: 'const outcome = outcomes[(index + 1) % outcomes.length] ??',
    killedBy: byCommands,
  },
  {
    name: 'a settlement that came during a batch has the next one to itself',
    file: 'apps/billing/src/ledger/micro-batches.ts',
    from: 'while (this.isUrgent(lane));',
    to: 'while (lane.queue.length > 0);',
    killedBy: byMicroBatches,
  },
  {
    name: 'a settlement waits for a charge however long that takes',
    file: 'apps/billing/src/ledger/micro-batches.ts',
    from: 'setTimeout(() => void this.runLane(lane), this.options.patienceMs)',
    to: 'setTimeout(() => undefined, this.options.patienceMs)',
    killedBy: byMicroBatches,
  },
  {
    name: 'a command that fails takes its batch along',
    file: commands,
    from: 'if (isDatabaseUnavailable(error) || commands.length < 2) {',
    to: 'if (isDatabaseUnavailable(error) || commands.length > 0) {',
    killedBy: byCommands,
  },
  {
    name: 'a charge is decided although overdue charges are left',
    file: commands,
    from: 'const isBehind = overdue.length > overdueMax;',
    to: 'const isBehind = false;',
    killedBy: byManyOverdue,
  },
  {
    name: 'overdue charges of accounts that are skipped take the place of others',
    file: commands,
    from: 'isOverdue(charge, locked.now));',
    to: 'isOverdue(charge, locked.now) && locked.accountIds.has(charge.accountId));',
    killedBy: byManyOverdue,
  },
  {
    name: 'one transaction voids however many charges are overdue',
    file: 'apps/billing/src/ledger/ledger-options.ts',
    from: 'overdueMax: 500,',
    to: 'overdueMax: 50_000,',
    killedBy: byManyOverdue,
  },
  {
    name: 'an account that is set aside keeps the others waiting',
    file: 'apps/billing/src/ledger/micro-batches.ts',
    from: 'if (known || this.lanesAside.size >= this.options.lanesAsideMax) return known;',
    to: 'if (known || owner) return known;',
    killedBy: byMicroBatches,
  },
  {
    name: 'an overdue charge is read a moment late',
    file: charges,
    from: 'pending_until <= (SELECT ledger_now())',
    to: 'pending_until < (SELECT ledger_now())',
    killedBy: byCharges,
  },
  {
    name: 'a deleted key pays',
    file: charges,
    from: 'active AND deleted_at IS NULL AS active',
    to: 'active',
    killedBy: ['apps/billing/src/api-keys/revocation-lock.int-spec.ts'],
  },
  {
    name: 'a lot is read at the instant of its expiry',
    file: 'apps/billing/src/ledger/lots.repository.ts',
    from: '!isExpired(lot, at)',
    to: 'lot.expiresAt >= at',
    killedBy: byCharges,
  },
  {
    name: 'a balance counts a lot at the instant of its expiry',
    file: 'apps/billing/src/ledger/balance.repository.ts',
    from: 'WHERE lots.account_id = ANY($1::uuid[]) AND lots.expires_at >',
    to: 'WHERE lots.account_id = ANY($1::uuid[]) AND lots.expires_at >=',
    killedBy: ['apps/billing/src/purchases/purchases.int-spec.ts'],
  },
  {
    name: 'a balance leaves out a charge at the instant of its time-out',
    file: 'apps/billing/src/ledger/balance.repository.ts',
    from: 'charges.pending_until <=',
    to: 'charges.pending_until <',
    killedBy: byCharges,
  },
  {
    name: 'a balance takes off what an overdue charge gives back',
    file: 'apps/billing/src/ledger/balance.repository.ts',
    from: 'SELECT charges.account_id, -entries.credits',
    to: 'SELECT charges.account_id, entries.credits',
    killedBy: byCharges,
  },
];

/** The transaction around every command. */
const transactions = [
  {
    name: 'accounts are not locked',
    file: locks,
    from: 'ORDER BY id FOR NO KEY UPDATE',
    to: 'ORDER BY id',
    killedBy: byLock,
  },
  {
    name: 'accounts are locked in the order of their rows',
    file: locks,
    from: 'ORDER BY id FOR NO KEY UPDATE',
    to: 'FOR NO KEY UPDATE',
    killedBy: byLock,
  },
  {
    name: 'accounts are locked from the highest id down',
    file: locks,
    from: 'ORDER BY id FOR NO KEY UPDATE',
    to: 'ORDER BY id DESC FOR NO KEY UPDATE',
    killedBy: byLock,
  },
  {
    name: 'the clock is read before the lock',
    file: locks,
    from: `const [row] = skipBusy
    ? await query<LockedRow>('lock free accounts', lockFree, [ids])
    : await query<LockedRow>('lock accounts', lockAll, [ids]);`,
    to: `const [{ now }] = await query('clock', 'SELECT ledger_now() AS now');
  const [locked] = await query('lock accounts', lockAll, [ids]);
  const row = { ...locked, now };`,
    killedBy: byLockedAccounts,
  },
  {
    name: 'what a charge has to know is read before the lock',
    file: locks,
    from: 'Promise.all([lock(behind, ids, skipBusy), read(behind, ids)])',
    to: 'Promise.all([read(behind, ids), lock(behind, ids, skipBusy)]).then(([rows, locked]) => [locked, rows])',
    killedBy: byLockedAccounts,
  },
  {
    name: 'what goes with the commit is sent behind it',
    file: transactionRunner,
    from: "[...sendAll(query, last), query('commit', 'COMMIT')]",
    to: "[query('commit', 'COMMIT'), ...sendAll(query, last)]",
    killedBy: byLockedAccounts,
  },
  {
    name: 'the instant is now() of PostgreSQL and not the clock function',
    file: locks,
    from: 'ledger_now() AS now',
    to: 'now() AS now',
    killedBy: byLockedAccounts,
  },
  {
    name: 'a transaction works on a snapshot from before its lock',
    file: locks,
    from: "isolation: 'READ COMMITTED'",
    to: "isolation: 'REPEATABLE READ'",
    killedBy: byLock,
  },
  {
    name: 'what TypeORM saves is committed at once',
    file: transactionRunner,
    from: 'markInTransaction(runner);',
    to: '',
    killedBy: byLockedAccounts,
  },
  {
    name: 'work that failed is committed',
    file: transactionRunner,
    from: "await query('rollback', 'ROLLBACK')",
    to: "await query('rollback', 'COMMIT')",
    killedBy: byLockedAccounts,
  },
];

/** What the database itself refuses. */
const constraints = [
  {
    name: 'the clock stands still within a transaction',
    file: schema,
    from: "date_trunc('milliseconds', clock_timestamp())",
    to: "date_trunc('milliseconds', now())",
    killedBy: byLock,
  },
  {
    name: 'the clock has microseconds',
    file: schema,
    from: "date_trunc('milliseconds', clock_timestamp())",
    to: 'clock_timestamp()',
    killedBy: ['apps/billing/src/ledger/lot-order.int-spec.ts'],
  },
  {
    name: 'a lot may hold less than nothing',
    file: schema,
    from: 'CHECK (remaining BETWEEN 0 AND credits)',
    to: 'CHECK (remaining <= credits)',
    killedBy: bySchema,
  },
  {
    name: 'entries can be changed',
    file: rules,
    from: 'BEFORE UPDATE OR DELETE ON ledger_entries',
    to: 'BEFORE DELETE ON ledger_entries',
    killedBy: bySchema,
  },
  {
    name: 'all entries can be removed at once',
    file: rules,
    from: 'BEFORE TRUNCATE ON ledger_entries',
    to: 'BEFORE DELETE ON ledger_entries',
    killedBy: bySchema,
  },
  {
    name: 'of the entries of a lot that are written at once one counts',
    file: rules,
    from: 'sum(credits)::integer AS credits',
    to: 'max(credits)::integer AS credits',
    killedBy: bySchema,
  },
  {
    name: 'lots change without an entry',
    file: schema,
    from: "IF TG_OP = 'DELETE' OR pg_trigger_depth() < 2",
    to: "IF TG_OP = 'DELETE'",
    killedBy: bySchema,
  },
  {
    name: 'a reference counts as often as it is sent',
    file: schema,
    from: '  CONSTRAINT lots_reference_unique UNIQUE (account_id, reference),\n',
    to: '',
    killedBy: bySchema,
  },
];

/** What the role that billing runs with may do. */
const rights = [
  {
    name: 'billing may empty the ledger',
    file: grants,
    from: "ledger_entries: 'SELECT, INSERT'",
    to: "ledger_entries: 'SELECT, INSERT, TRUNCATE'",
    killedBy: byGrants,
  },
  {
    name: 'billing may write credits into a lot',
    file: grants,
    from: "lots: 'SELECT, INSERT'",
    to: "lots: 'SELECT, INSERT, UPDATE (remaining)'",
    killedBy: byGrants,
  },
  {
    name: 'the rights of the owner change lots for the rows of any table',
    file: rulesForRoles,
    from: 'REVOKE EXECUTE ON FUNCTION apply_entries_to_lots() FROM PUBLIC',
    to: '',
    killedBy: byGrants,
  },
  {
    name: 'the rights of the owner change whatever table the caller calls lots',
    file: rulesForRoles,
    from: ' SET search_path = %I, pg_temp',
    to: '',
    killedBy: byGrants,
  },
];

export const ledgerStorage = [...storage, ...transactions, ...constraints, ...rights];

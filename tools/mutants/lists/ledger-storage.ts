import { type Mutant } from '../mutant.js';
import { inFile, inFunction, inSql } from '../planting/fault.js';

const charges = 'apps/billing/src/ledger/charges/charge.repository.ts';
const balances = 'apps/billing/src/ledger/lots/balance.repository.ts';
const commands = 'apps/billing/src/ledger/charges/ledger-transactions.ts';
const microBatches = 'apps/billing/src/ledger/charges/micro-batches.ts';
const locks = 'apps/billing/src/database/account-transactions.ts';
const transactionRunner = 'libs/platform/src/database/transaction-runner.ts';
const schema = 'apps/billing/src/database/migrations/0001-ledger.ts';
const rules = 'apps/billing/src/database/migrations/0002-rules-on-shards.ts';
const grants = 'apps/billing/src/database/grants.ts';
const rulesForRoles = 'apps/billing/src/database/migrations/0003-rules-for-a-lesser-role.ts';
const byCharges = ['apps/billing/src/ledger/charges/charge.service.int-spec.ts'];
const byCommands = ['apps/billing/src/ledger/charges/ledger-transactions.int-spec.ts'];
const byLock = ['apps/billing/src/database/lock-and-clock.int-spec.ts'];
const byLockedAccounts = ['apps/billing/src/database/account-transactions.int-spec.ts'];
const byManyOverdue = ['apps/billing/src/ledger/charges/many-overdue.int-spec.ts'];
const bySchema = ['apps/billing/src/database/schema.int-spec.ts'];
const byGrants = ['apps/billing/src/database/grants.int-spec.ts'];

/** What is read and written for a charge. */
const storage: Mutant[] = [
  {
    name: 'overdue charges are not looked for before a command',
    file: commands,
    fault: inFile.remove('$BATCH.voidOverdue($MAX);'),
    killedBy: byCharges,
  },
  {
    name: 'each command of a batch gets the answer of the next',
    file: microBatches,
    fault: inFunction('runBatch').replace('$OUTCOMES[$INDEX]', '$OUTCOMES[($INDEX + 1) % $OUTCOMES.length]'),
    killedBy: byCommands,
  },
  {
    name: 'a settlement that came during a batch has the next one to itself',
    file: microBatches,
    fault: inFunction('runLane').replace('this.isUrgent($LANE)', '$LANE.queue.length > 0'),
    killedBy: ['apps/billing/src/ledger/charges/micro-batches.spec.ts'],
  },
  {
    name: 'a command that fails takes its batch along',
    file: commands,
    fault: inFunction('applyAfter').replace('$COMMANDS.length < 2', '$COMMANDS.length > 0'),
    killedBy: byCommands,
  },
  {
    name: 'a charge is decided although overdue charges are left',
    file: commands,
    fault: inFile.replace('$OVERDUE.length > $MAX', 'false'),
    killedBy: byManyOverdue,
  },
  {
    name: 'overdue charges of accounts that are skipped take the place of others',
    file: commands,
    fault: inFile.replace(
      'isOverdue($CHARGE, $LOCKED.now)',
      '$MATCH && $LOCKED.accountIds.has($CHARGE.accountId)',
    ),
    killedBy: byManyOverdue,
  },
  {
    name: 'one transaction voids however many charges are overdue',
    file: 'apps/billing/src/ledger/rules/ledger-options.ts',
    fault: inFile.replace('overdueMax: 500', 'overdueMax: 50_000'),
    killedBy: byManyOverdue,
  },
  {
    name: 'an overdue charge is read a moment late',
    file: charges,
    fault: inSql('pending_until <= (SELECT').replaceWith('pending_until < (SELECT'),
    killedBy: byCharges,
  },
  {
    name: 'a deleted key pays',
    file: charges,
    fault: inSql('active AND deleted_at IS NULL AND NOT').replaceWith('active AND NOT'),
    killedBy: ['apps/billing/src/api-keys/revocation-lock.int-spec.ts'],
  },
  {
    name: 'a lot is read at the instant of its expiry',
    file: 'apps/billing/src/ledger/lots/lots.repository.ts',
    fault: inFunction('unexpiredAt').replace('!isExpired($LOT, $AT)', '$LOT.expiresAt >= $AT'),
    killedBy: byCharges,
  },
  {
    name: 'a balance counts a lot at the instant of its expiry',
    file: balances,
    fault: inSql('ANY($1::uuid[]) AND lots.expires_at >').replaceWith(
      'ANY($1::uuid[]) AND lots.expires_at >=',
    ),
    killedBy: ['apps/billing/src/purchases/purchases.int-spec.ts'],
  },
  {
    name: 'a balance leaves out a charge at the instant of its time-out',
    file: balances,
    fault: inSql('charges.pending_until <=').replaceWith('charges.pending_until <'),
    killedBy: byCharges,
  },
  {
    name: 'a balance takes off what an overdue charge gives back',
    file: balances,
    fault: inSql('-entries.credits').replaceWith('entries.credits'),
    killedBy: byCharges,
  },
];

/** The transaction around every command. */
const transactions: Mutant[] = [
  {
    name: 'accounts are not locked',
    file: locks,
    fault: inSql('FOR NO KEY UPDATE').remove(),
    killedBy: byLock,
  },
  {
    name: 'accounts are locked in the order of their rows',
    file: locks,
    fault: inSql('ORDER BY id').remove(),
    killedBy: byLock,
  },
  {
    name: 'accounts are locked from the highest id down',
    file: locks,
    fault: inSql('ORDER BY id').replaceWith('ORDER BY id DESC'),
    killedBy: byLock,
  },
  {
    name: 'the clock is read before the lock',
    file: locks,
    fault: inFunction('lock').replace(
      '$SKIPS ? $FREE : $ALL',
      `await query('read clock', 'SELECT ledger_now() AS now').then(async ([{ now }]) => {
         const rows = $ALL;
         return rows.map((row) => ({ ...row, now }));
       })`,
    ),
    killedBy: byLockedAccounts,
  },
  {
    name: 'what a charge has to know is read before the lock',
    file: locks,
    fault: inFunction('runReading').replace(
      'Promise.all([$LOCK, $READ])',
      'Promise.all([$READ, $LOCK]).then(([read, locked]) => [locked, read])',
    ),
    killedBy: byLockedAccounts,
  },
  {
    name: 'what goes with the commit is sent behind it',
    file: transactionRunner,
    fault: inFunction('runOnConnection').replace(
      "[...$STATEMENTS, query('commit', 'COMMIT')]",
      "[query('commit', 'COMMIT'), ...$STATEMENTS]",
    ),
    killedBy: byLockedAccounts,
  },
  {
    name: 'the instant is now() of PostgreSQL and not the clock function',
    file: locks,
    fault: inSql('ledger_now() AS now').replaceWith('now() AS now'),
    killedBy: byLockedAccounts,
  },
  {
    name: 'a transaction works on a snapshot from before its lock',
    file: locks,
    fault: inFunction('runReading').replace("isolation: 'READ COMMITTED'", "isolation: 'REPEATABLE READ'"),
    killedBy: byLock,
  },
  {
    name: 'what TypeORM saves is committed at once',
    file: transactionRunner,
    fault: inFunction('runOnConnection').remove('markInTransaction($RUNNER);'),
    killedBy: byLockedAccounts,
  },
  {
    name: 'work that failed is committed',
    file: transactionRunner,
    fault: inFunction('rollBack').replace("'ROLLBACK'", "'COMMIT'"),
    killedBy: byLockedAccounts,
  },
];

/** What the database itself refuses. */
const constraints: Mutant[] = [
  {
    name: 'the clock stands still within a transaction',
    file: schema,
    fault: inSql('clock_timestamp()').replaceWith('now()'),
    killedBy: byLock,
  },
  {
    name: 'the clock has microseconds',
    file: schema,
    fault: inSql("date_trunc('milliseconds', clock_timestamp())").replaceWith('clock_timestamp()'),
    killedBy: ['apps/billing/src/ledger/lots/lot-order.int-spec.ts'],
  },
  {
    name: 'a lot may hold less than nothing',
    file: schema,
    fault: inSql('remaining BETWEEN 0 AND credits').replaceWith('remaining <= credits'),
    killedBy: bySchema,
  },
  {
    name: 'entries can be changed',
    file: rules,
    fault: inSql('BEFORE UPDATE OR DELETE ON ledger_entries').replaceWith('BEFORE DELETE ON ledger_entries'),
    killedBy: bySchema,
  },
  {
    name: 'all entries can be removed at once',
    file: rules,
    fault: inSql('BEFORE TRUNCATE ON ledger_entries').replaceWith('BEFORE DELETE ON ledger_entries'),
    killedBy: bySchema,
  },
  {
    name: 'of the entries of a lot that are written at once one counts',
    file: rules,
    fault: inSql('sum(credits)::integer AS credits').replaceWith('max(credits)::integer AS credits'),
    killedBy: bySchema,
  },
  {
    name: 'lots change without an entry',
    file: schema,
    fault: inSql('OR pg_trigger_depth() < 2').remove(),
    killedBy: bySchema,
  },
  {
    name: 'a reference counts as often as it is sent',
    file: schema,
    fault: inSql('CONSTRAINT lots_reference_unique UNIQUE (account_id, reference),').remove(),
    killedBy: bySchema,
  },
];

/** What the role that billing runs with may do. */
const rights: Mutant[] = [
  {
    name: 'billing may empty the ledger',
    file: grants,
    fault: inFile.replace("ledger_entries: 'SELECT, INSERT'", "ledger_entries: 'SELECT, INSERT, TRUNCATE'"),
    killedBy: byGrants,
  },
  {
    name: 'billing may write credits into a lot',
    file: grants,
    fault: inFile.replace("lots: 'SELECT, INSERT'", "lots: 'SELECT, INSERT, UPDATE (remaining)'"),
    killedBy: byGrants,
  },
  {
    name: 'the rights of the owner change lots for the rows of any table',
    file: rulesForRoles,
    fault: inSql('REVOKE EXECUTE ON FUNCTION apply_entries_to_lots() FROM PUBLIC').remove(),
    killedBy: byGrants,
  },
  {
    name: 'the rights of the owner change whatever table the caller calls lots',
    file: rulesForRoles,
    fault: inSql('SET search_path = %I, pg_temp').remove(),
    killedBy: byGrants,
  },
];

export const ledgerStorage: readonly Mutant[] = [...storage, ...transactions, ...constraints, ...rights];

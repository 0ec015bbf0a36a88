import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contracts';
import { databaseCode, isDatabaseUnavailable, isWorthRepeating, mapDatabaseError } from '#platform';
import { type Queryable, sendAll } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import {
  AccountTransactions,
  type LockedAccounts,
  type LockOptions,
} from '../../database/account-transactions.js';
import {
  ChargeRepository,
  type FirstRows,
  type LedgerRows,
  stateAt,
  type StateRequest,
} from './charge.repository.js';
import { LedgerBatch } from '../rules/ledger-batch.js';
import {
  accountOf,
  chargeIdOf,
  type LedgerCommand,
  type LedgerResult,
  isOverdue,
  type StoredCharge,
} from '../rules/ledger-state.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../rules/ledger-options.js';
import { type Outcome } from './micro-batches.js';

type Outcomes = Outcome<LedgerResult>[];

/**
 * The result of one transaction: its decisions; or, when it only voided, the accounts that would keep the others
 * waiting.
 */
type Applied = { readonly outcomes: Outcomes } | { readonly backlogged: ReadonlySet<string> };

const attemptsMax = 3;
const pauseMs = 20;
const lockNotAvailable = '55P03';

/** Applies charges and settlements, many in one transaction. */
@Injectable()
export class LedgerTransactions {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly charges: ChargeRepository,
    @Inject(LEDGER_OPTIONS)
    private readonly options: Pick<LedgerOptions, 'pendingTimeoutMs' | 'overdueMax'>,
  ) {}

  /**
   * Applies commands in one transaction and returns one outcome each. When the transaction fails for a reason that may
   * lie in one command, the commands are retried one by one, so that the others do not fail with it. The commands of an
   * account that would keep the others waiting, because another transaction has locked it or very many of its charges
   * are overdue, are deferred.
   */
  async apply(commands: LedgerCommand[]): Promise<Outcomes> {
    try {
      return await this.finish(commands, await this.applyWithRetry(commands));
    } catch (error) {
      if (databaseCode(error) !== lockNotAvailable || !haveSeveralAccounts(commands)) {
        return this.applyAfter(error, commands);
      }
    }
    try {
      return await this.finish(commands, await this.applyWithRetry(commands, { skipBusy: true }));
    } catch (error) {
      return this.applyAfter(error, commands);
    }
  }

  /** After a transaction that only voided, applies the commands of the accounts without a backlog. */
  private async finish(commands: LedgerCommand[], applied: Applied): Promise<Outcomes> {
    if ('outcomes' in applied) return applied.outcomes;
    const others = commands.filter((command) => !applied.backlogged.has(accountOf(command)));
    const outcomes = others.length === 0 ? [] : await this.apply(others);
    const byCommand = new Map(others.map((command, index) => [command, outcomes[index]]));
    return commands.map((command) => byCommand.get(command) ?? { deferred: true });
  }

  /** An unreachable database or a lock time-out concerns all commands; any other error may be caused by one of them. */
  private async applyAfter(error: unknown, commands: LedgerCommand[]): Promise<Outcomes> {
    if (isDatabaseUnavailable(error) || commands.length < 2) {
      return commands.map(() => ({ error: mapDatabaseError(error) }));
    }
    const outcomes: Outcomes = [];
    for (const command of commands) outcomes.push(...(await this.apply([command])));
    return outcomes;
  }

  /**
   * Deadlocks, serialization failures and lost connections are retried a few times: the ids make a repetition harmless,
   * even when the lost answer was that of a COMMIT.
   */
  private async applyWithRetry(commands: LedgerCommand[], options?: LockOptions): Promise<Applied> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.applyLocked(commands, options);
      } catch (error) {
        if (!isWorthRepeating(error) || attempt === attemptsMax) throw error;
        await delay(attempt * pauseMs);
      }
    }
  }

  /**
   * A balance is exact only when no overdue charge is left, so a transaction that can't void them all decides nothing.
   * Those of skipped accounts count too, because they were read in place of others.
   */
  private applyLocked(commands: LedgerCommand[], options?: LockOptions): Promise<Applied> {
    const { pendingTimeoutMs, overdueMax } = this.options;
    const request: StateRequest = {
      accountIds: [...new Set(commands.map(accountOf))],
      chargeIds: commands.map(chargeIdOf),
      calls: commands.flatMap((command) => (command.kind === 'charge' ? command.request : [])),
      abandonedOf: commands.flatMap((command) => (isAbandoned(command) ? accountOf(command) : [])),
      overdueMax: overdueMax + 1,
    };
    const work = {
      read: (pipelined: Queryable) => this.charges.loadFirst(pipelined, request),
      apply: async (locked: LockedAccounts, first: FirstRows): Promise<Applied> => {
        const isAll = !first.hasMore && !mayVoid(commands, first, locked.now);
        const rows = isAll ? first : await this.charges.loadRest(locked, request, first);
        const batch = new LedgerBatch(stateAt(locked, rows), pendingTimeoutMs);
        const overdue = [...rows.charges.values()].filter((charge) => isOverdue(charge, locked.now));
        batch.voidOverdue(overdueMax);
        const isBacklogged = overdue.length > overdueMax;
        const outcomes = isBacklogged
          ? []
          : commands.map((command): Outcome<LedgerResult> =>
              locked.busyIds.has(accountOf(command)) ? { deferred: true } : outcomeOf(batch, command),
            );
        const statements = this.charges.toStatements(locked, batch.writes());
        locked.withCommit(() => Promise.all(sendAll(locked.query, statements)));
        return isBacklogged
          ? { backlogged: new Set([...withMoreThan(overdueMax / 2, overdue), ...locked.busyIds]) }
          : { outcomes };
      },
    };
    return this.transactions.runReading(request.accountIds, work, options);
  }
}

/** Applies a command to the batch; an error of the caller's is an outcome, too. */
function outcomeOf(batch: LedgerBatch, command: LedgerCommand): Outcome<LedgerResult> {
  try {
    if (command.kind === 'charge') {
      return { result: { kind: 'charge', reply: batch.charge(command.request) } };
    }
    const { settlement } = command;
    const result = { charge_id: settlement.charge_id, result: batch.settle(settlement) };
    return { result: { kind: 'settle', result } };
  } catch (error) {
    if (error instanceof ServiceError) return { error };
    throw error;
  }
}

/** By a settlement, or because a charge was not settled in time. */
function mayVoid(commands: readonly LedgerCommand[], { charges }: LedgerRows, now: Date): boolean {
  return (
    commands.some((command) => command.kind === 'settle' && command.settlement.outcome !== 'posted') ||
    [...charges.values()].some((charge) => isOverdue(charge, now))
  );
}

function isAbandoned(command: LedgerCommand): boolean {
  return command.kind === 'settle' && command.settlement.outcome === 'abandoned';
}

function haveSeveralAccounts(commands: LedgerCommand[]): boolean {
  return new Set(commands.map(accountOf)).size > 1;
}

/** The accounts that have more than `max` of these charges. */
function withMoreThan(max: number, charges: readonly StoredCharge[]): string[] {
  const counts = new Map<string, number>();
  for (const { accountId } of charges) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return [...counts].flatMap(([accountId, count]) => (count > max ? [accountId] : []));
}

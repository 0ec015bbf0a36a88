import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '@app/contracts';
import { type DataSource } from 'typeorm';
import { databaseCode, isDatabaseUnavailable, isWorthRepeating, toServiceError } from '@app/platform';
import { readWithLockedAccounts } from '../database/locked-accounts.js';
import { loadLedgerRows, stateAt, toStatements } from './charge.repository.js';
import { LedgerBatch } from './ledger-batch.js';
import { accountOf, chargeIdOf, type LedgerCommand, type LedgerResult } from './ledger-command.js';
import { type Outcome } from './micro-batches.js';

type Outcomes = Outcome<LedgerResult>[];

const attemptsMax = 3;
const pauseMs = 20;
const lockNotAvailable = '55P03';

/**
 * Applies commands in one transaction and gives one outcome each. What fails for the whole transaction but may be the
 * fault of one command, or of one account that somebody else holds, is tried again in smaller parts, so that the healthy
 * commands of a batch do not fail with it.
 */
export async function applyCommands(
  dataSource: DataSource,
  commands: LedgerCommand[],
  pendingTimeoutMs: number,
): Promise<Outcomes> {
  try {
    return await applyPatiently(dataSource, commands, pendingTimeoutMs);
  } catch (error) {
    const parts = partsAfter(error, commands);
    if (parts.length < 2) return commands.map(() => ({ error: toServiceError(error) }));
    const outcomes = new Map<LedgerCommand, Outcome<LedgerResult>>();
    for (const part of parts) {
      const ofPart = await applyCommands(dataSource, part, pendingTimeoutMs);
      ofPart.forEach((outcome, index) => {
        const command = part[index];
        if (command) outcomes.set(command, outcome);
      });
    }
    return commands.map((command) => outcomes.get(command) ?? { error });
  }
}

/** A lock that is not to be had concerns one account; a database that is away concerns all; the rest one command. */
function partsAfter(error: unknown, commands: LedgerCommand[]): LedgerCommand[][] {
  if (databaseCode(error) === lockNotAvailable) return byAccount(commands);
  return isDatabaseUnavailable(error) ? [commands] : commands.map((command) => [command]);
}

function byAccount(commands: LedgerCommand[]): LedgerCommand[][] {
  const groups = new Map<string, LedgerCommand[]>();
  for (const command of commands) {
    const group = groups.get(accountOf(command));
    if (group) group.push(command);
    else groups.set(accountOf(command), [command]);
  }
  return [...groups.values()];
}

/**
 * Deadlocks, lost races and lost connections are tried again, a few times: the ids make a repetition harmless, even when the lost
 * answer was that of a COMMIT.
 */
async function applyPatiently(
  dataSource: DataSource,
  commands: LedgerCommand[],
  pendingTimeoutMs: number,
): Promise<Outcomes> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyTogether(dataSource, commands, pendingTimeoutMs);
    } catch (error) {
      if (!isWorthRepeating(error) || attempt === attemptsMax) throw error;
      await delay(attempt * pauseMs);
    }
  }
}

function applyTogether(
  dataSource: DataSource,
  commands: LedgerCommand[],
  pendingTimeoutMs: number,
): Promise<Outcomes> {
  return readWithLockedAccounts(dataSource, commands.map(accountOf), {
    read: (query, accountIds) =>
      loadLedgerRows(query, {
        accountIds,
        chargeIds: commands.map(chargeIdOf),
        keyIds: commands.flatMap((command) => (command.kind === 'charge' ? command.request.key_id : [])),
      }),
    apply: (locked, rows) => {
      const batch = new LedgerBatch(stateAt(locked, rows), pendingTimeoutMs);
      batch.voidOverdue();
      const outcomes = commands.map((command) => outcomeOf(batch, command));
      locked.withCommit(toStatements(locked, batch.writes()));
      return outcomes;
    },
  });
}

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

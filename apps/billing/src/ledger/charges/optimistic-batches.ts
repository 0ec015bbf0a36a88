import { type ChargeRequest, type Settlement } from '#contracts';
import { counter } from '#platform';
import { TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { countWritten } from '../lots/entries.repository.js';
import { KnownLots } from '../lots/known-lots.js';
import { type Lot } from '../rules/allocate.js';
import { LedgerBatch } from '../rules/ledger-batch.js';
import { accountOf, type KeyState, type LedgerCommand, type LedgerResult } from '../rules/ledger-state.js';
import { ChargeIfUnchanged, type Decision } from './charge-if-unchanged.js';
import { outcomeOf } from './outcome-of.js';
import { type Outcome } from './micro-batches.js';

type Lots = ReadonlyMap<string, readonly Lot[]>;

interface DecidedBatch extends Decision {
  readonly commands: readonly LedgerCommand[];
  readonly outcomes: Outcome<LedgerResult>[];
  readonly batch: LedgerBatch;
}

const batches = counter(
  'ledger_optimistic_batches_total',
  'Batches decided before their accounts were locked, by what became of the decision.',
  ['outcome'],
);

const limitedKeysMax = 10_000;

/** Nothing expires and no time passes while a batch is decided: the lots are those that are unexpired when it is written. */
const anyInstant = new Date(0);

/**
 * The short way of a batch: charges are decided on the lots as they were last seen, and written by one statement if the lots
 * are so under the lock. When they alone are not, they come back with the answer and the batch is decided once more.
 */
@Injectable()
export class OptimisticBatches {
  /** Whether the last batch was decided twice, as when replicas charge the same accounts. */
  private isContended = false;
  /** Keys that had a monthly limit when they were last seen: only the long way can charge them. */
  private readonly limitedKeys = new Set<string>();

  constructor(
    private readonly database: TransactionRunner,
    private readonly known: KnownLots,
    private readonly ledger: ChargeIfUnchanged,
  ) {}

  /** One outcome for each command; `undefined` when nothing was written, because more must be read to decide. */
  async apply(commands: readonly LedgerCommand[]): Promise<Outcome<LedgerResult>[] | undefined> {
    if (!commands.every((command) => takesOrPosts(command) && !this.isLimited(command))) return undefined;
    const charged = commands.filter(({ kind }) => kind === 'charge').map(accountOf);
    const decided = decide(commands, this.known.of(charged));
    const written = await (this.isContended ? this.writeInSteps(decided) : this.writeAtOnce(decided));
    if (!written) {
      batches.inc({ outcome: 'left_to_the_lock' });
      return undefined;
    }
    this.isContended = written !== decided;
    batches.inc({ outcome: this.isContended ? 'decided_again' : 'as_decided' });
    for (const { account_id } of written.calls) {
      this.known.remember(account_id, written.batch.lotsOf(account_id));
    }
    countWritten(written.entries);
    return written.outcomes;
  }

  /** Remembers which of these keys have a monthly limit. */
  noteLimits(keys: ReadonlyMap<string, KeyState>): void {
    if (this.limitedKeys.size > limitedKeysMax) this.limitedKeys.clear();
    for (const [id, { budget }] of keys) {
      if (budget) this.limitedKeys.add(id);
      else this.limitedKeys.delete(id);
    }
  }

  private isLimited(command: LedgerCommand): boolean {
    return command.kind === 'charge' && this.limitedKeys.has(command.request.key_id);
  }

  private async writeAtOnce(decided: DecidedBatch): Promise<DecidedBatch | undefined> {
    const answer = await this.ledger.write(this.database.prepared, decided);
    if (answer.outcome !== 'lots_changed') return answer.outcome === 'written' ? decided : undefined;
    return this.writeInSteps(decide(decided.commands, answer.lots));
  }

  /** In a transaction that keeps the locks, so that a second decision is right: one round trip more. */
  private async writeInSteps(decided: DecidedBatch): Promise<DecidedBatch | undefined> {
    let written: DecidedBatch | undefined;
    await this.database.runPipelined(
      ({ query }) => this.ledger.write(query, decided),
      ({ query, withCommit }, answer) => {
        if (answer.outcome === 'written') written = decided;
        if (answer.outcome !== 'lots_changed') return;
        const again = decide(decided.commands, answer.lots);
        withCommit(async () => {
          const { outcome } = await this.ledger.write(query, again);
          if (outcome === 'written') written = again;
        });
      },
      { prepareStatements: true },
    );
    return written;
  }
}

function takesOrPosts(command: LedgerCommand): boolean {
  return command.kind === 'charge' || command.settlement.outcome === 'posted';
}

/** What becomes of the commands if this is so: their lots, keys in use, new ids, and pending charges to post. */
function decide(commands: readonly LedgerCommand[], lots: Lots): DecidedBatch {
  const calls: ChargeRequest[] = [];
  const posted: Settlement[] = [];
  for (const command of commands) {
    if (command.kind === 'charge') calls.push(command.request);
    else posted.push(command.settlement);
  }
  const batch = new LedgerBatch(
    {
      now: anyInstant,
      accountIds: new Set(lots.keys()),
      lots,
      keys: new Map(calls.map((call) => [call.key_id, { accountId: call.account_id, active: true }])),
      charges: new Map(),
      tombstones: new Map(),
      abandoned: new Map(),
    },
    0,
  );
  const outcomes = commands.map((command) => outcomeWhenPending(batch, command));
  const accountIds = [...new Set(commands.map(accountOf))];
  return { commands, accountIds, lots, calls, posted, outcomes, batch, ...batch.writes() };
}

/** A charge that is to be posted is taken to be pending. */
function outcomeWhenPending(batch: LedgerBatch, command: LedgerCommand): Outcome<LedgerResult> {
  if (command.kind === 'charge') return outcomeOf(batch, command);
  const { charge_id } = command.settlement;
  return { result: { kind: 'settle', result: { charge_id, result: 'posted' } } };
}

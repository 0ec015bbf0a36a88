import { type ChargeRequest } from '@app/contracts';
import { counter } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { countWritten } from '../lots/entries.repository.js';
import { KnownLots } from '../lots/known-lots.js';
import { type Lot } from '../rules/allocate.js';
import { LedgerBatch } from '../rules/ledger-batch.js';
import { accountOf, type LedgerCommand, type LedgerResult } from '../rules/ledger-state.js';
import { ChargeIfUnchanged } from './charge-if-unchanged.js';
import { outcomeOf } from './outcome-of.js';
import { type Outcome } from './micro-batches.js';

const batches = counter(
  'ledger_optimistic_batches_total',
  'Batches decided before their accounts were locked, by what became of the decision.',
  ['outcome'],
);

/** Nothing expires and no time passes while a batch is decided: the lots are those that are unexpired when it is written. */
const anyInstant = new Date(0);

/**
 * The short way of a batch: charges are decided on the lots as they were last seen, and written by one statement if the lots
 * are so under the lock. When they alone are not, they come back with the answer and the batch is decided once more.
 */
@Injectable()
export class OptimisticBatches {
  constructor(
    private readonly known: KnownLots,
    private readonly ledger: ChargeIfUnchanged,
  ) {}

  /** One outcome for each command; `undefined` when nothing was written, because more must be read to decide. */
  async apply(commands: readonly LedgerCommand[]): Promise<Outcome<LedgerResult>[] | undefined> {
    const calls = commands.flatMap((command) => (command.kind === 'charge' ? command.request : []));
    const posted = commands.flatMap((command) => (command.kind === 'settle' ? command.settlement : []));
    if (posted.some(({ outcome }) => outcome === 'voided')) return undefined;

    let lots: ReadonlyMap<string, readonly Lot[]> = this.known.of(commands.map(accountOf));
    for (const result of ['as_decided', 'decided_again']) {
      const batch = decideOn(lots, calls);
      const outcomes = commands.map((command) => outcomeWhenPending(batch, command));
      const { newCharges, entries } = batch.writes();
      const answer = await this.ledger.write({ lots, calls, newCharges, entries, posted });
      if (answer.outcome === 'written') {
        for (const { account_id } of calls) this.known.remember(account_id, batch.lotsOf(account_id));
        countWritten(entries);
        batches.inc({ outcome: result });
        return outcomes;
      }
      if (answer.outcome === 'changed') break;
      lots = answer.lots;
    }
    batches.inc({ outcome: 'left_to_the_lock' });
    return undefined;
  }
}

/** A batch that takes the keys of its calls to be in use, and their ids to be new. */
function decideOn(lots: ReadonlyMap<string, readonly Lot[]>, calls: readonly ChargeRequest[]): LedgerBatch {
  const keys = calls.map(
    ({ key_id, account_id: accountId }) => [key_id, { accountId, active: true }] as const,
  );
  return new LedgerBatch(
    {
      now: anyInstant,
      accountIds: new Set(lots.keys()),
      lots,
      keys: new Map(keys),
      charges: new Map(),
      tombstones: new Map(),
    },
    0,
  );
}

/** A charge that is to be posted is taken to be pending. */
function outcomeWhenPending(batch: LedgerBatch, command: LedgerCommand): Outcome<LedgerResult> {
  if (command.kind === 'charge') return outcomeOf(batch, command);
  const { charge_id } = command.settlement;
  return { result: { kind: 'settle', result: { charge_id, result: 'posted' } } };
}

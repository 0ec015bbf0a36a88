import { type ChargeState } from '@app/contracts';
import fc from 'fast-check';
import { moveClock } from './clock.fixture.js';
import { type DatabaseLedger } from './database-ledger.fixture.js';
import {
  accounts,
  anyCommand,
  histories,
  pendingTimeoutMs,
  Tally,
  type Answer,
  type Command,
  type Step,
} from './histories.fixture.js';
import { type LedgerFixture } from '../ledger.fixture.js';
import { type Refusal } from '../rules/ledger-state.js';
import { expectNothingLost } from './ledger-sums.fixture.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const lifetimeMs = 30 * dayMs;

/** Histories with a clock step between each and the next: one of an hour, the others of 2 seconds. */
export interface SteppedParts {
  readonly parts: Step[][];
  readonly hourAfter: number;
}

/** The start of every history: credits, some of which expire before the first charges time out. */
const opening = Array.from({ length: accounts }, (_, account): Step[] => [
  { kind: 'purchase', account, credits: 12, ageMs: 0 },
  { kind: 'purchase', account, credits: 4, ageMs: lifetimeMs - pendingTimeoutMs + 10_000 },
]).flat();

/** A part begins with commands, which run right after the clock step before it. */
const begin = fc
  .array(anyCommand, { minLength: 4, maxLength: 12 })
  .map((commands): Step[] => [{ kind: 'commands', commands }]);

/** It mostly ends at a time-out or an expiry, swept or not: those a step back could undo. */
const ends = fc
  .record({ account: fc.nat(accounts - 1), besideMs: fc.constantFrom(0, 1), isSwept: fc.boolean() })
  .map(({ isSwept, ...edge }): Step[] => [
    { kind: 'advance_to_edge', ...edge },
    ...(isSwept ? [{ kind: 'sweep' } as const] : []),
  ]);
const end = fc.oneof({ weight: 3, arbitrary: ends }, fc.constant<Step[]>([]));

/** Any such history; shrinks to a short one. */
export const steppedParts: fc.Arbitrary<SteppedParts> = fc.record({
  parts: fc.array(
    fc.tuple(begin, histories(8), end).map((steps) => steps.flat()),
    { minLength: 3, maxLength: 6, size: 'max' },
  ),
  hourAfter: fc.nat(1),
});

/** What happened while the clock stepped. */
export class SteppedTotals {
  readonly tally = new Tally();
  stepsOf2Seconds = 0;
  stepsOfAnHour = 0;
  /** Time-outs or expiries that a step moved back into the future. */
  edgesCrossed = 0;
  settledChecks = 0;

  toString(): string {
    return (
      `clock put back ${this.stepsOf2Seconds} times by 2 s and ${this.stepsOfAnHour} times by an hour, ` +
      `over ${this.edgesCrossed} time-outs and expiries; ${this.settledChecks} times a settled charge was looked at again; ` +
      this.tally.toString()
    );
  }
}

/** A charge as it is stored. */
interface Stored {
  readonly id: string;
  readonly state: ChargeState;
  readonly refusal: Refusal | null;
  readonly void_reason: string | null;
  readonly credits: number;
  readonly credits_remaining: number;
  readonly settled_at: Date | null;
  readonly repeat_of: string | null;
}

/** Plays a history on a ledger whose clock is set back now and then, and checks everything after every step. */
export class SteppedHistory {
  private readonly purchased = Array.from({ length: accounts }, () => 0);
  private settled = new Map<string, Stored>();
  /** The latest time the clock has shown; it may have been set back since. */
  private latest = 0;

  constructor(
    private readonly ledger: LedgerFixture,
    private readonly played: DatabaseLedger,
    private now: number,
    private readonly totals: SteppedTotals,
  ) {}

  async play({ parts, hourAfter }: SteppedParts): Promise<void> {
    await this.setClock(this.now);
    for (const step of opening) await this.take(step);
    for (const [number, steps] of parts.entries()) {
      if (number > 0) await this.stepBackDuring(steps[0], number - 1 === hourAfter ? hourMs : 2_000);
      for (const step of number > 0 ? steps.slice(1) : steps) {
        await this.take(step);
        await this.look();
      }
    }
    await this.setClock(this.latest + lifetimeMs);
    await this.played.sweep();
    await this.look();
    for (let account = 0; account < accounts; account++) {
      const { accountId } = this.played.customer(account);
      const sums = await expectNothingLost(this.ledger.query, accountId, this.purchased[account] ?? 0);
      expect(sums).toMatchObject({ pending: 0, remaining: 0 });
    }
  }

  /** Only commands may run while the clock steps. */
  private async stepBackDuring(step: Step | undefined, ms: number): Promise<void> {
    if (ms === hourMs) this.totals.stepsOfAnHour += 1;
    else this.totals.stepsOf2Seconds += 1;
    this.totals.edgesCrossed += await this.countEdges(this.now - ms, this.now);
    this.now -= ms;
    const stepBack = moveClock(this.ledger, this.now);
    if (step?.kind !== 'commands') await stepBack;
    await Promise.all([stepBack, step && this.take(step)]);
    await this.look();
  }

  private async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'commands':
        return this.apply(step.commands);
      case 'purchase':
        await this.played.purchase(step.account, step.credits, this.now - step.ageMs);
        this.purchased[step.account] = (this.purchased[step.account] ?? 0) + step.credits;
        return;
      case 'switch_key_off':
        return this.played.switchKeyOff(step.account);
      case 'sweep':
        return this.played.sweep();
      case 'advance':
        return this.setClock(this.now + step.ms);
      case 'advance_to_edge':
        return this.setClock(Math.max(this.now, (await this.edge(step.account)) + step.besideMs));
    }
  }

  private async apply(commands: Command[]): Promise<void> {
    const answers = await this.played.apply(commands);
    const before = this.settled;
    const after = await this.load();
    for (const [index, answer] of answers.entries()) {
      const command = commands[index];
      if (!command) throw new Error('an answer to nothing');
      const id = this.played.chargeId(command);
      this.totals.tally.count(answer);
      expectStored(command, answer, { before: before.get(id), after: after.get(id) });
    }
  }

  private async setClock(at: number): Promise<void> {
    this.now = at;
    this.latest = Math.max(this.latest, at);
    await this.played.setClock(at);
  }

  /** Nothing negative, nothing lost or doubled, and what was settled before is as it was. */
  private async look(): Promise<void> {
    for (let account = 0; account < accounts; account++) {
      const { accountId } = this.played.customer(account);
      expect(await this.ledger.balance(accountId)).toBeGreaterThanOrEqual(0);
      await expectNothingLost(this.ledger.query, accountId, this.purchased[account] ?? 0);
    }
    const settled = [...(await this.load())].filter(([, { state }]) => state !== 'pending');
    this.totals.settledChecks += this.settled.size;
    const remembered = [...this.settled].filter(([, charge]) => !this.mayBeForgotten(charge));
    expect(Object.fromEntries(settled)).toMatchObject(Object.fromEntries(remembered));
    this.settled = new Map(settled);
  }

  /** A refusal, a minute after it. */
  private mayBeForgotten({ state, settled_at }: Stored): boolean {
    return state === 'refused' && this.latest >= (settled_at?.getTime() ?? 0) + minuteMs;
  }

  private async load(): Promise<Map<string, Stored>> {
    const rows = await this.ledger.query<Stored>(
      `SELECT id, state, refusal, void_reason, credits, credits_remaining::integer, settled_at, repeat_of
       FROM charges WHERE account_id = ANY($1::uuid[])`,
      [this.accountIds()],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The next time-out or expiry of the account. */
  private async edge(account: number): Promise<number> {
    const [row] = await this.ledger.query<{ at: Date | null }>(
      `SELECT min(at) AS at FROM (${edgesSql}) AS edges WHERE at > $2`,
      [[this.played.customer(account).accountId], new Date(this.now)],
    );
    return Math.min(row?.at?.getTime() ?? Number.POSITIVE_INFINITY, this.now + pendingTimeoutMs);
  }

  private async countEdges(after: number, until: number): Promise<number> {
    const [row] = await this.ledger.query<{ edges: number }>(
      `SELECT count(*)::integer AS edges FROM (${edgesSql}) AS edges WHERE at > $2 AND at <= $3`,
      [this.accountIds(), new Date(after), new Date(until)],
    );
    return row?.edges ?? 0;
  }

  private accountIds(): string[] {
    return Array.from({ length: accounts }, (_, account) => this.played.customer(account).accountId);
  }
}

/** Ends of pending and timed-out charges, and of lots. */
const edgesSql = `
  SELECT pending_until AS at FROM charges
  WHERE account_id = ANY($1::uuid[]) AND (state = 'pending' OR void_reason = 'timed_out')
  UNION ALL SELECT expires_at FROM lots WHERE account_id = ANY($1::uuid[])`;

/** An answer is what the ledger has stored by then; for a charge settled before, what it had stored at that time. */
function expectStored(
  command: Command,
  answer: Answer,
  { before, after }: { before: Stored | undefined; after: Stored | undefined },
): void {
  if (before) return expect(answer).toEqual(storedAnswer(before, command));
  if (answer === 'unknown_charge') return expect(command).toMatchObject({ outcome: 'posted' });
  if (command.kind === 'settle') expect(after?.state).not.toBe('pending');
  if (typeof answer === 'object' && answer.outcome === 'charged' && after) {
    return expect(answer).toEqual(firstAnswer(after));
  }
  const tombstoned: Answer = command.kind === 'charge' ? { outcome: 'voided' } : 'voided';
  expect(answer).toEqual(after ? storedAnswer(after, command) : tombstoned);
}

/** The answer to every further message about this charge. */
function storedAnswer(stored: Stored, command: Command): Answer {
  if (command.kind === 'settle') {
    if (stored.repeat_of !== null) return command.outcome;
    if (stored.state === 'posted') return command.outcome === 'posted' ? 'posted' : 'already_posted';
    return command.outcome === 'posted' && stored.void_reason === 'timed_out' ? 'expired' : 'voided';
  }
  return stored.state === 'voided' ? { outcome: 'voided' } : firstAnswer(stored);
}

/** The first answer to the charge. */
function firstAnswer({ refusal, credits, credits_remaining, repeat_of }: Stored): Answer {
  if (refusal === 'insufficient_credits') {
    return { outcome: refusal, credits_needed: credits, credits_remaining };
  }
  if (refusal) return { outcome: refusal };
  const charged = { outcome: 'charged', credits_used: credits, credits_remaining } as const;
  return repeat_of === null ? charged : { ...charged, is_repeat: true };
}

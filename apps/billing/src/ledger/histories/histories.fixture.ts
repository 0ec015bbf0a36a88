import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type ChargeReply, type ChargeRequest, type Settlement, type SettlementResult } from '@app/contracts';
import { NaiveLedger, type Repeatable } from './naive-ledger.fixture.js';

/** One command of a history; `call` numbers the calls of an account, so that several commands concern the same call. */
export type Command =
  | { readonly kind: 'charge'; readonly account: number; readonly call: number }
  | {
      readonly kind: 'settle';
      readonly account: number;
      readonly call: number;
      readonly outcome: 'posted' | 'voided';
    };

export type Step =
  | { readonly kind: 'commands'; readonly commands: Command[] }
  | { readonly kind: 'purchase'; readonly account: number; readonly credits: number; readonly ageMs: number }
  | { readonly kind: 'switch_key_off'; readonly account: number }
  | { readonly kind: 'sweep' }
  | { readonly kind: 'advance'; readonly ms: number }
  /** To the next time-out or expiry of the account, and a little beside it. */
  | { readonly kind: 'advance_to_edge'; readonly account: number; readonly besideMs: number };

export const accounts = 2;
export const pendingTimeoutMs = 30_000;
const plainCalls = 8;
/** The calls with an `Idempotency-Key`, by number: its name, and what is called. */
const repeatableCalls: readonly Repeatable[] = [
  { idempotencyKey: 'one', content: 'a search' },
  { idempotencyKey: 'one', content: 'a search' },
  { idempotencyKey: 'one', content: 'a search' },
  { idempotencyKey: 'one', content: 'a search' },
  { idempotencyKey: 'one', content: 'another search' },
  { idempotencyKey: 'two', content: 'a search' },
  { idempotencyKey: 'two', content: 'a search' },
  { idempotencyKey: 'two', content: 'a search' },
];
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const account = fc.nat(accounts - 1);
const call = fc.oneof(
  fc.nat(plainCalls - 1),
  fc.nat(repeatableCalls.length - 1).map((number) => plainCalls + number),
);
/** Any command about one of a few calls. */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('charge' as const), account, call }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      account,
      call,
      outcome: fc.constantFrom('posted' as const, 'voided' as const),
    }),
  },
);

/** A charge that is posted at once: most calls, and those that can be repeated. */
const answeredCall: fc.Arbitrary<Command[]> = fc.record({ account, call }).map((one) => [
  { kind: 'charge', ...one },
  { kind: 'settle', ...one, outcome: 'posted' },
]);

const commands: fc.Arbitrary<Command[]> = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.tuple(anyCommand) }, answeredCall), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all) => all.flat());

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({ kind: fc.constant('commands' as const), commands }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('purchase' as const),
      account,
      credits: fc.integer({ min: 1, max: 7 }),
      ageMs: fc.constantFrom(0, 0, 1, dayMs, 29 * dayMs, 30 * dayMs - 20_000, 30 * dayMs),
    }),
  },
  { weight: 8, arbitrary: fc.constant({ kind: 'sweep' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      ms: fc.constantFrom(1, 10_000, 15_000, 15 * minuteMs - 20_000, dayMs, 10 * dayMs),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('advance_to_edge' as const),
      account,
      besideMs: fc.constantFrom(-1, 0, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switch_key_off' as const), account }) },
);

/** Any history of up to `lengthMax` steps; shrinks to a short one. */
export function histories(lengthMax: number): fc.Arbitrary<Step[]> {
  return fc.array(step, { minLength: 1, maxLength: lengthMax, size: 'max' });
}

/** The cost of a call, 0 to 5 credits, derived from its number, so that a repeated message has the same content. */
export function costOf(callNumber: number): number {
  return callNumber < plainCalls ? callNumber % 6 : callNumber % 3;
}

/** What makes a call a repetition of another one, derived from its number in the same way. */
function repeatableOf(callNumber: number): Repeatable | undefined {
  return repeatableCalls[callNumber - plainCalls];
}

/** A ledger to play histories on; accounts and calls are identified by number. */
export interface PlayableLedger {
  setClock(at: number): Promise<void> | void;
  purchase(accountNumber: number, credits: number, purchasedAt: number): Promise<string> | string;
  switchKeyOff(accountNumber: number): Promise<void> | void;
  sweep(): Promise<void> | void;
  /** Applies the commands together, in order within each account. */
  apply(commands: Command[]): Promise<Answer[]> | Answer[];
  balance(accountNumber: number): Promise<number> | number;
  /** What each unexpired lot of the account has left after a sweep, by id; without empty lots. */
  lots(accountNumber: number): Promise<Record<string, number>> | Record<string, number>;
}

/** Counts each answer seen, for printing: an answer never seen was not tested. */
export class Tally {
  private readonly counts = new Map<string, number>();

  count(answer: Answer): void {
    const name = typeof answer === 'string' ? `settle ${answer}` : `charge ${nameOf(answer)}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  toString(): string {
    const commands = [...this.counts.values()].reduce((sum, count) => sum + count, 0);
    const each = [...this.counts].sort().map(([name, count]) => `${name} ${count}`);
    return `${commands} commands: ${each.join(', ')}`;
  }
}

export type Answer = ChargeReply | SettlementResult['result'];

function nameOf(reply: ChargeReply): string {
  return reply.outcome === 'charged' && reply.is_repeat ? 'repeated' : reply.outcome;
}

/** Plays a history on a ledger and on one naive ledger per account; counts the answers that were compared. */
export async function playHistory(
  ledger: PlayableLedger,
  history: Step[],
  startAt: number,
  tally: Tally,
): Promise<void> {
  const oracles = Array.from({ length: accounts }, () => new NaiveLedger(pendingTimeoutMs));
  const oracle = (number: number): NaiveLedger => oracles[number] ?? new NaiveLedger(0);
  let now = startAt;
  await ledger.setClock(now);
  for (const step of history) {
    if (step.kind === 'commands') {
      const expected = step.commands.map((one) => answer(oracle(one.account), one, now));
      expect(await ledger.apply(step.commands)).toEqual(expected);
      expected.forEach((one) => tally.count(one));
    } else if (step.kind === 'purchase') {
      const lotId = await ledger.purchase(step.account, step.credits, now - step.ageMs);
      oracle(step.account).purchase(lotId, step.credits, now - step.ageMs);
    } else if (step.kind === 'switch_key_off') {
      await ledger.switchKeyOff(step.account);
      oracle(step.account).switchKeyOff();
    } else if (step.kind === 'sweep') {
      await ledger.sweep();
      for (const naive of oracles) naive.sweep(now);
    } else {
      now = Math.max(
        now,
        step.kind === 'advance' ? now + step.ms : edge(oracle(step.account), now) + step.besideMs,
      );
      await ledger.setClock(now);
    }
    for (const [number, naive] of oracles.entries()) {
      expect(await ledger.balance(number)).toBe(naive.balance(now));
    }
  }
  await ledger.sweep();
  for (const [number, naive] of oracles.entries()) expect(await ledger.lots(number)).toEqual(naive.lots(now));
}

function answer(oracle: NaiveLedger, command: Command, now: number): Answer {
  const id = String(command.call);
  return command.kind === 'charge'
    ? oracle.charge(id, costOf(command.call), now, repeatableOf(command.call))
    : oracle.settle(id, command.outcome, now);
}

function edge(oracle: NaiveLedger, now: number): number {
  return Math.min(...oracle.edges(now), now + pendingTimeoutMs);
}

/** The messages behind a command. */
export function messageOf(
  command: Command,
  ids: { readonly accountId: string; readonly keyId: string; readonly chargeId: string },
): { charge: ChargeRequest } | { settlement: Settlement } {
  const { accountId: account_id, keyId: key_id, chargeId: charge_id } = ids;
  if (command.kind === 'settle') return { settlement: { charge_id, account_id, outcome: command.outcome } };
  const repeatable = repeatableOf(command.call);
  return {
    charge: {
      charge_id,
      account_id,
      key_id,
      request_id: charge_id,
      operation: 'search',
      credits: costOf(command.call),
      ...(repeatable && marks(key_id, repeatable)),
    },
  };
}

/** How the messages of a gateway name such a call of an API key. */
export function marks(
  keyId: string,
  { idempotencyKey, content }: Repeatable,
): Required<Pick<ChargeRequest, 'idempotency_key_hash' | 'fingerprint'>> {
  return { idempotency_key_hash: sha256(`${keyId} ${idempotencyKey}`), fingerprint: sha256(content) };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

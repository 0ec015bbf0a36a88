import { isDeepStrictEqual } from 'node:util';
import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { type Lot } from './allocate.js';
import { type Answer } from '../histories/histories.fixture.js';
import { type StoredCharge } from './ledger-state.js';
import { MemoryAccount } from '../histories/memory-account.fixture.js';
import {
  advances,
  answerToLast,
  cost,
  describeAll,
  fateOf,
  fateOfStored,
  holds,
  isMessage,
  messagesOf,
  repeatableOf,
  type Fate,
  type Happening,
} from '../histories/precedence.fixture.js';

const startAt = new Date('2025-06-01T00:00:00.000Z');
const lots: Lot[] = [2, cost - 2].map((remaining, number) => ({
  id: `lot ${number}`,
  purchasedAt: new Date(startAt.getTime() + number),
  expiresAt: new Date('2026-01-01T00:00:00.000Z'),
  remaining,
}));
const full = lots.map(({ remaining }) => remaining);
const empty = lots.map(() => 0);

const sweep: Happening = { kind: 'sweep' };
const timeOut: Happening = { kind: 'time_out' };
const forgetting: Happening = { kind: 'forgetting' };

/** Every sequence of 1 to `lengthMax` of the happenings, repetitions included. */
function* sequences(alphabet: readonly Happening[], lengthMax: number): Generator<Happening[]> {
  for (let length = 1; length <= lengthMax; length++) yield* sequencesOf(alphabet, length);
}

function* sequencesOf(alphabet: readonly Happening[], length: number): Generator<Happening[]> {
  if (length === 0) yield [];
  else for (const rest of sequencesOf(alphabet, length - 1)) for (const one of alphabet) yield [...rest, one];
}

/** Plays happenings on an account, each message in a batch of its own or as many as possible in one. */
class Play {
  private readonly account = new MemoryAccount(lots, advances.time_out, startAt);
  private readonly answers: (Answer | undefined)[] = [];

  constructor(private readonly happenings: readonly Happening[]) {}

  /** Gives what is outside of the table, after each happening. */
  apart(): string[] {
    return this.happenings.flatMap((one, index) => {
      this.happen([one]);
      const soFar = this.happenings.slice(0, index + 1);
      return [...this.wrongAnswers(soFar), ...this.wrongBalance(soFar)];
    });
  }

  /** The same with all messages between two other happenings in one batch. */
  together(): string[] {
    let batch: Happening[] = [];
    for (const one of this.happenings) {
      if (isMessage(one)) batch.push(one);
      else {
        this.happen(batch);
        this.happen([one]);
        batch = [];
      }
    }
    this.happen(batch);
    return this.happenings.flatMap((_, index) => this.wrongAnswers(this.happenings.slice(0, index + 1)));
  }

  /** The state once a sweep has written it down, and whether what should be left can be spent indeed. */
  wrongEnd(): string[] {
    const { account, happenings } = this;
    const wrong = this.wrongBalance(happenings);
    account.sweep();
    const fates = this.calls().map((call) => fateOf(call, happenings));
    const stored = this.calls().map((call) =>
      storedFate(account.charges.get(call), account.tombstones.has(call)),
    );
    if (!isDeepStrictEqual(stored, fates)) wrong.push(this.difference('fates', stored, fates));
    const left = fates.some(holds) ? empty : full;
    if (!isDeepStrictEqual(account.remaining(), left)) {
      wrong.push(this.difference('lots', account.remaining(), left));
    }
    const [probe] = account.apply([{ kind: 'charge', call: 'another', credits: cost }]);
    const expected = answerToLast([...happenings, { kind: 'charge', call: 'another' }]);
    if (!isDeepStrictEqual(probe, expected)) wrong.push(this.difference('another charge', probe, expected));
    return wrong;
  }

  /** One happening that is no message, or the messages of one batch. */
  private happen(happenings: readonly Happening[]): void {
    const messages = happenings
      .filter(isMessage)
      .map((message) => ({ ...message, credits: cost, repeatable: repeatableOf(message.call) }));
    if (messages.length > 0) this.answers.push(...this.account.apply(messages));
    for (const { kind } of happenings) {
      if (kind === 'time_out' || kind === 'forgetting') this.account.advance(advances[kind]);
      else if (kind === 'sweep') this.account.sweep();
      else continue;
      this.answers.push(undefined);
    }
  }

  private wrongAnswers(soFar: readonly Happening[]): string[] {
    const [answer, expected] = [this.answers[soFar.length - 1], answerToLast(soFar)];
    return isDeepStrictEqual(answer, expected) ? [] : [this.difference('answer', answer, expected, soFar)];
  }

  private wrongBalance(soFar: readonly Happening[]): string[] {
    const left = this.calls().some((call) => holds(fateOf(call, soFar))) ? 0 : cost;
    const balance = this.account.balance();
    return balance === left ? [] : [this.difference('balance', balance, left, soFar)];
  }

  private calls(): string[] {
    return [...new Set(this.happenings.filter(isMessage).map(({ call }) => call))];
  }

  private difference(what: string, found: unknown, expected: unknown, after = this.happenings): string {
    return `${describeAll(after)}: ${what} ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`;
  }
}

function storedFate(charge: StoredCharge | undefined, buried: boolean): Fate {
  if (!charge) return buried ? 'buried' : 'unheard_of';
  return fateOfStored(charge);
}

/** Plays a sequence in both ways and gives what is outside of the table. */
function differences(happenings: readonly Happening[]): string[] {
  const [apart, together] = [new Play(happenings), new Play(happenings)];
  return [...apart.apart(), ...apart.wrongEnd(), ...together.together(), ...together.wrongEnd()];
}

/** The first few differences are enough to be shown. */
function compareAll(all: Iterable<Happening[]>): { count: number; outside: number; shown: string[] } {
  const shown: string[] = [];
  let [count, outside] = [0, 0];
  for (const happenings of all) {
    const found = differences(happenings);
    count++;
    if (found.length > 0) outside++;
    if (shown.length < 10) shown.push(...found);
  }
  return { count, outside, shown };
}

describe('every interleaving, each message in a batch of its own and many in one,', () => {
  it('of one charge, up to 6 events, is in the table of precedence', () => {
    const { count, outside, shown } = compareAll(sequences([...messagesOf(['A']), sweep, timeOut], 6));
    process.stdout.write(`interleavings of one charge: ${count}, ${outside} outside of the table\n`);
    expect({ count, shown }).toEqual({ count: 19_530, shown: [] });
  });

  it('of two charges on the credits of one, up to 5 events, is in the table of precedence', () => {
    const { count, outside, shown } = compareAll(sequences([...messagesOf(['A', 'B']), timeOut], 5));
    process.stdout.write(`interleavings of two charges: ${count}, ${outside} outside of the table\n`);
    expect({ count, shown }).toEqual({ count: 19_607, shown: [] });
  });

  it('of a call and two repetitions under its Idempotency-Key, up to 4 happenings, is in the table of precedence', () => {
    const alphabet = [...messagesOf(['K1', 'K2', 'K3']), timeOut, forgetting];
    const { count, outside, shown } = compareAll(sequences(alphabet, 4));
    process.stdout.write(`interleavings of repetitions: ${count}, ${outside} outside of the table\n`);
    expect({ count, shown }).toEqual({ count: 16_104, shown: [] });
  });

  it('of a call, its repetition and others, with and without its Idempotency-Key, up to 4 happenings, is in the table', () => {
    const alphabet = [...messagesOf(['K1', 'K2', 'L']), { kind: 'charge', call: 'A' } as const, timeOut];
    const { count, outside, shown } = compareAll(sequences(alphabet, 4));
    process.stdout.write(
      `interleavings of repetitions and others: ${count}, ${outside} outside of the table\n`,
    );
    expect({ count, shown }).toEqual({ count: 16_104, shown: [] });
  });

  it('of repetitions, drawn among longer ones, is in the table of precedence', () => {
    const { runs, seed } = ledgerRuns(300);
    const happening = fc.constantFrom(
      ...messagesOf(['K1', 'K2', 'K3', 'L', 'A']),
      sweep,
      timeOut,
      forgetting,
    );
    const longer = fc.array(happening, { minLength: 5, maxLength: 24, size: 'max' });
    const property = fc.property(longer, (happenings) => expect(differences(happenings)).toEqual([]));
    fc.assert(property, { numRuns: runs, seed });
    process.stdout.write(
      `interleavings of many repetitions: ${runs}, 0 outside of the table; LEDGER_SEED=${seed}\n`,
    );
  }, 3_600_000);

  it('of three charges, drawn among longer ones, is in the table of precedence', () => {
    const { runs, seed } = ledgerRuns(300);
    const happening = fc.constantFrom(...messagesOf(['A', 'B', 'C']), sweep, timeOut);
    const longer = fc.array(happening, { minLength: 7, maxLength: 24, size: 'max' });
    const property = fc.property(longer, (happenings) => expect(differences(happenings)).toEqual([]));
    fc.assert(property, { numRuns: runs, seed });
    process.stdout.write(
      `interleavings of three charges: ${runs}, 0 outside of the table; LEDGER_SEED=${seed}\n`,
    );
  }, 3_600_000);
});

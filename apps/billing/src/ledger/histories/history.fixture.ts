import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expectEqual } from '#testing/random';
import fc from 'fast-check';
import { minuteMs, hourMs, dayMs } from '../../durations.js';
import {
  accounts,
  type Answer,
  type Call,
  type Command,
  type Done,
  lifetimeMs,
  type Message,
  type PlayableLedger,
} from './commands.fixture.js';
import { ModelLedger } from './model.fixture.js';
import { Tally } from './tally.fixture.js';

export const pendingTimeoutMs = 30_000;

/** A command that is sent together with others, or a few turns of the event loop later. */
export interface Shot {
  readonly command: Command;
  readonly replica: number;
  readonly turns: number;
}

/** A step of a history. */
export type Step =
  | Command
  | { readonly kind: 'together'; readonly messages: readonly Message[] }
  /** A message that is delivered several times at once, to every replica: all its answers are the same. */
  | { readonly kind: 'copies'; readonly command: Command; readonly count: number }
  /** Commands that race each other through all replicas. */
  | { readonly kind: 'race'; readonly shots: readonly Shot[] }
  /** To the next time-out, expiry or end of an `Idempotency-Key`, and a little before or after it. */
  | { readonly kind: 'move_to_edge'; readonly account: number; readonly besideMs: number };

/** A step with the answer to it; the books after each step are compared with those of the model. */
export type Expected = readonly [step: Step, answer?: Answer];
export type NamedHistory = readonly [name: string, steps: readonly Expected[]];

const plain = [0, 1, 2, 3, 4, 5, 1, 3].map((credits, number): Call => ({ name: `C${number}`, credits }));
const underKeys = [
  ['K', 'a search', [2, 1, 0, 2]],
  ['K', 'another search', [1]],
  ['L', 'a search', [1, 2, 0]],
] as const;
const repeatable = underKeys.flatMap(([idempotencyKey, content, prices]) =>
  prices.map((credits, number): Call => {
    return {
      name: `${idempotencyKey}${number} ${content}`,
      credits,
      repeatable: { idempotencyKey, content },
    };
  }),
);

const account = fc.nat(accounts - 1);
const call = fc.oneof(fc.constantFrom(...plain), fc.constantFrom(...repeatable));
const message: fc.Arbitrary<Message> = fc.record({
  kind: fc.constantFrom('charge', 'charge', 'charge', 'charge', 'post', 'void', 'abandon'),
  account,
  call,
});
/** A charge that is posted at once: most calls, and those that can be repeated. */
const answeredCall = fc
  .record({ account, call })
  .map((one): Message[] => (['charge', 'post'] as const).map((kind) => ({ kind, ...one })));
/** A client that leaves every answer: of more calls than are free on a day. */
const abandonedCalls = account.map((number): Message[] =>
  plain
    .filter(({ credits }) => credits > 0)
    .flatMap((one) => (['charge', 'abandon'] as const).map((kind) => ({ kind, account: number, call: one }))),
);
const messages = fc
  .array(
    fc.oneof(
      { weight: 10, arbitrary: fc.tuple(message) },
      { weight: 2, arbitrary: answeredCall },
      abandonedCalls,
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) => all.flat());
/** Corrections of more than the balance are refused, and can be sent again later. */
const adjustment: fc.Arbitrary<Command> = fc
  .record({ account, credits: fc.constantFrom(3, 1, -1, -2, -9) })
  .map((one) => ({ kind: 'adjust', ...one, reference: `of ${one.credits}` }));
/** A refund of a lot that may be unknown, expired or refunded; two lots may share a reference. */
const refund: fc.Arbitrary<Command> = fc.record({
  kind: fc.constant('refund'),
  account,
  lot: fc.nat(3),
  reference: fc.constantFrom('R0', 'R1', 'R2'),
});
/** Lots that expire before, with and after the time-out of a charge on them, and some that have expired. */
const purchase: fc.Arbitrary<Command> = fc.record({
  kind: fc.constant('purchase'),
  account,
  credits: fc.integer({ min: 1, max: 7 }),
  expiresInMs: fc.constantFrom(
    ...[lifetimeMs, lifetimeMs, lifetimeMs - 1, dayMs, 0, 5_000, 10_000, 20_000],
    ...[pendingTimeoutMs - 1, pendingTimeoutMs, pendingTimeoutMs + 1],
  ),
});

/** Up to six commands, of which some wait a little; the clock only goes on meanwhile. */
const race: fc.Arbitrary<Step> = fc
  .array(
    fc.record({
      command: fc.oneof(
        { weight: 8, arbitrary: message },
        { weight: 1, arbitrary: adjustment },
        { weight: 1, arbitrary: refund },
        { weight: 1, arbitrary: fc.constant<Command>({ kind: 'sweep' }) },
        {
          weight: 2,
          arbitrary: fc.constantFrom(pendingTimeoutMs, 15 * minuteMs).map((ms): Command => {
            return { kind: 'move_clock', ms };
          }),
        },
      ),
      replica: fc.nat(1),
      turns: fc.nat(6),
    }),
    { minLength: 2, maxLength: 6, size: 'max' },
  )
  .map((shots) => ({ kind: 'race', shots }));

const kinds = {
  together: messages.map((all): Step => ({ kind: 'together', messages: all })),
  copies: fc.record({
    kind: fc.constant('copies' as const),
    command: fc.oneof(message, adjustment, refund),
    count: fc.integer({ min: 2, max: 5 }),
  }),
  race,
  purchase,
  adjustment,
  refund,
  sweep: fc.constantFrom<Step>({ kind: 'sweep' }, { kind: 'sweep' }, { kind: 'sweep' }, { kind: 'audit' }),
  wait: fc
    .constantFrom(1, 10_000, 15_000, 15 * minuteMs - 20_000, dayMs, 10 * dayMs)
    .map((ms): Step => ({ kind: 'move_clock', ms })),
  edge: fc.record({
    kind: fc.constant('move_to_edge' as const),
    account,
    besideMs: fc.constantFrom(-1, 0, 0, 1),
  }),
  revoke: fc.record({ kind: fc.constant('revoke_key' as const), account }),
  back: fc.constantFrom(-2_000, -2_000, -hourMs).map((ms): Step => ({ kind: 'move_clock', ms })),
};

/** Many calls of one content, and one of another, under one `Idempotency-Key`, most of them answered. */
export function callsUnderOneKey(lengthMax: number): fc.Arbitrary<Step[]> {
  const under = fc.nat(30).map((number): Call => {
    const content = number === 30 ? 'another search' : 'a search';
    return { name: `K${number}`, credits: 1, repeatable: { idempotencyKey: 'K', content } };
  });
  const message = (kind: Message['kind']) => under.map((one): Message => ({ kind, account: 0, call: one }));
  const answered = under.map((one): Step => {
    const both = (['charge', 'post'] as const).map((kind): Message => ({ kind, account: 0, call: one }));
    return { kind: 'together', messages: both };
  });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 12, arbitrary: answered },
    { weight: 2, arbitrary: fc.array(message('charge'), { minLength: 1 }).map(together) },
    { weight: 1, arbitrary: message('void') },
    { weight: 1, arbitrary: fc.constantFrom(...[pendingTimeoutMs, 14 * minuteMs, -hourMs].map(wait)) },
  );
  const steps = fc.noBias(fc.array(step, { minLength: 10, maxLength: lengthMax, size: 'max' }));
  return steps.map((all) => [{ kind: 'purchase', account: 0, credits: 30, expiresInMs: lifetimeMs }, ...all]);
}

const together = (messages: Message[]): Step => ({ kind: 'together', messages });
const wait = (ms: number): Step => ({ kind: 'move_clock', ms });

/** How often each kind of step is drawn. */
const weights = {
  ...{ together: 20, copies: 4, race: 0, purchase: 10, adjustment: 4, refund: 3, sweep: 8, wait: 4, edge: 8 },
  ...{ revoke: 1, back: 0 },
};

/** Any history of at most this many steps; shrinks to a short one. */
export function histories(lengthMax: number, changes: Partial<typeof weights> = {}): fc.Arbitrary<Step[]> {
  const weighted = { ...weights, ...changes };
  const step: fc.Arbitrary<Step> = fc.oneof(
    ...Object.entries(kinds).map(([kind, arbitrary]) => ({
      arbitrary,
      weight: weighted[kind as keyof typeof weights],
    })),
  );
  // An account without credits refuses everything.
  return fc
    .tuple(
      fc.array(purchase, { maxLength: 3 }),
      // As often long as short, although the first of few runs are short by default.
      fc.noBias(fc.array(step, { minLength: 1, maxLength: lengthMax, size: 'max' })),
    )
    .map(([purchases, steps]) => [...purchases, ...steps]);
}

/** Plays a history on a ledger and on the model, and compares every answer and all books after each step. */
export class HistoryPlayer {
  private model: ModelLedger;

  constructor(
    private readonly ledger: PlayableLedger,
    startAt: number,
    private readonly tally = new Tally(),
  ) {
    this.model = new ModelLedger(startAt, pendingTimeoutMs);
  }

  async play(history: readonly Step[]): Promise<void> {
    for (const step of history) await this.playStep(step);
    await this.playStep({ kind: 'sweep' });
  }

  /** Returns the answers. */
  async playStep(step: Step): Promise<(Answer | undefined)[]> {
    await this.ledger.setClock(this.model.now);
    const answers = await this.answersTo(step);
    expectEqual(await this.ledger.books(), this.model.books());
    return answers;
  }

  private async answersTo(step: Step): Promise<(Answer | undefined)[]> {
    if (step.kind === 'together') return this.together(step.messages);
    if (step.kind === 'copies') return this.copies(step.command, step.count);
    if (step.kind === 'race') return this.race(step.shots);
    if (step.kind === 'move_to_edge') {
      const ms = Math.max(0, this.model.nextEdge(step.account) + step.besideMs - this.model.now);
      return this.answersTo({ kind: 'move_clock', ms });
    }
    if (step.kind === 'move_clock') {
      this.model.apply(step);
      await this.ledger.setClock(this.model.now);
      return [];
    }
    const done = await this.ledger.apply(step, 0);
    expectEqual(done.answer, this.expected(step, done));
    return done.answer ? [done.answer] : [];
  }

  private async together(messages: readonly Message[]): Promise<Answer[]> {
    const answers = await this.ledger.together(messages);
    expectEqual(
      answers,
      messages.map((one) => this.expected(one, {})),
    );
    return answers;
  }

  private async copies(command: Command, count: number): Promise<(Answer | undefined)[]> {
    const copies = Array.from({ length: count }, async (_, copy) => this.ledger.apply(command, copy));
    const done = await Promise.all(copies);
    const answer = this.expected(command, { lotId: done.find(({ lotId }) => lotId)?.lotId });
    expect(done.map((one) => one.answer)).toEqual(done.map(() => answer));
    return [answer];
  }

  private expected(command: Command, { lotId }: Done): Answer | undefined {
    const answer = this.model.apply(command, lotId);
    if (answer) this.tally.count(command, answer);
    return answer;
  }

  /** The commands are answered as if they had come in some order, and leave the books of that order. */
  private async race(shots: readonly Shot[]): Promise<(Answer | undefined)[]> {
    const observed = await Promise.all(
      shots.map(async ({ command, replica, turns }) => {
        for (let n = 0; n < turns; n++) await turn();
        return { command, ...(await this.ledger.apply(command, replica)) };
      }),
    );
    await this.ledger.apply({ kind: 'sweep' }, 0);
    const books = await this.ledger.books();
    const order = findOrder(this.model, observed, (model) => isDeepStrictEqual(model.books(), books));
    if (!order) {
      throw new Error(`no order of these explains ${JSON.stringify(books)}: ${JSON.stringify(observed)}`);
    }
    this.model = order;
    for (const { command, answer } of observed) if (answer) this.tally.count(command, answer);
    return observed.map(({ answer }) => answer);
  }
}

/** The model after an order of the commands in which it gives each of these answers, and ends, swept, as is said. */
function findOrder(
  model: ModelLedger,
  observed: readonly (Done & { readonly command: Command })[],
  isEnd: (model: ModelLedger) => boolean,
): ModelLedger | undefined {
  if (observed.length === 0) {
    model.apply({ kind: 'sweep' });
    return isEnd(model) ? model : undefined;
  }
  for (const next of observed) {
    const after = model.copy();
    if (!isDeepStrictEqual(after.apply(next.command, next.lotId), next.answer)) continue;
    const others = observed.filter((other) => other !== next);
    const found = findOrder(after, others, isEnd);
    if (found) return found;
  }
  return undefined;
}

import { minuteMs, dayMs } from '../../durations.js';
import { type Call, type Command, isMessage, type Message, lifetimeMs } from './commands.fixture.js';
import { HistoryPlayer, pendingTimeoutMs, type Step } from './history.fixture.js';
import { MemoryLedger } from './play-in-memory.fixture.js';

const startAt = Date.UTC(2025, 0, 1);
/** The cost of every call: the whole balance, so that two calls never hold it at once. */
const credits = 5;
const lots = [2, credits - 2].map((part): Command => {
  return { kind: 'purchase', account: 0, credits: part, expiresInMs: lifetimeMs };
});
const nextDay: Command = { kind: 'move_clock', ms: dayMs };
const timeOut: Command = { kind: 'move_clock', ms: pendingTimeoutMs };
const keyEnd: Command = { kind: 'move_clock', ms: 15 * minuteMs };

const plain = (name: string): Call => ({ name, credits });
const search = (name: string, content = 'a search'): Call => {
  return { name, credits, repeatable: { idempotencyKey: 'K', content } };
};
const messagesOf = (...calls: Call[]): Message[] =>
  calls.flatMap((call) => (['charge', 'post', 'void'] as const).map((kind) => ({ kind, account: 0, call })));
const abandoned = (call: Call): Message => ({ kind: 'abandon', account: 0, call });

/** Every sequence of 1 to `lengthMax` of the commands, repetitions included. */
function* sequences(alphabet: readonly Command[], lengthMax: number): Generator<Command[]> {
  for (let length = 1; length <= lengthMax; length++) yield* sequencesOf(alphabet, length);
}

function* sequencesOf(alphabet: readonly Command[], length: number): Generator<Command[]> {
  if (length === 0) yield [];
  else for (const rest of sequencesOf(alphabet, length - 1)) for (const one of alphabet) yield [...rest, one];
}

/** Puts all messages between two other commands into one batch. */
function inBatches(commands: readonly Command[]): Step[] {
  const steps: Step[] = [];
  for (const command of commands) {
    const last = steps.at(-1);
    if (!isMessage(command)) steps.push(command);
    else if (last?.kind === 'together') {
      steps[steps.length - 1] = { ...last, messages: [...last.messages, command] };
    } else steps.push({ kind: 'together', messages: [command] });
  }
  return steps;
}

interface Situation {
  readonly name: string;
  /** What has happened before. */
  readonly before?: readonly Command[];
  readonly alphabet: readonly Command[];
  /** Longest sequences that `npm test` plays, and that `npm run test:long` plays. */
  readonly lengthMax: Readonly<Record<'short' | 'long', number>>;
}

const situations: readonly Situation[] = [
  {
    name: 'one call',
    alphabet: [...messagesOf(plain('A')), abandoned(plain('A')), { kind: 'sweep' }, timeOut],
    lengthMax: { short: 4, long: 6 },
  },
  {
    name: 'one call of a client that has left all that is free on a day',
    before: ['1', '2', '3', '4', '5'].flatMap((name) => [
      { kind: 'charge', account: 0, call: plain(name) },
      abandoned(plain(name)),
    ]),
    alphabet: [...messagesOf(plain('A')), abandoned(plain('A')), timeOut, nextDay],
    lengthMax: { short: 3, long: 5 },
  },
  {
    name: 'two calls on the credits of one',
    alphabet: [...messagesOf(plain('A'), plain('B')), timeOut],
    lengthMax: { short: 3, long: 5 },
  },
  {
    name: 'three calls under one Idempotency-Key',
    alphabet: [
      ...messagesOf(search('K1'), search('K2'), search('K3')),
      abandoned(search('K1')),
      timeOut,
      keyEnd,
    ],
    lengthMax: { short: 3, long: 4 },
  },
  {
    name: 'a call, its repetition and others, with and without its Idempotency-Key',
    alphabet: [
      ...messagesOf(search('K1'), search('K2'), search('L', 'another search')),
      { kind: 'charge', account: 0, call: plain('A') },
      timeOut,
    ],
    lengthMax: { short: 3, long: 4 },
  },
];

/** Declares one test of each situation. */
export function testEveryInterleaving(length: 'short' | 'long', timeoutMs: number): void {
  it.each(situations)(
    'every sequence of what can happen to $name agrees with the model, in one batch and in many',
    async ({ before = [], alphabet, lengthMax }) => {
      let played = 0;
      for (const sequence of sequences(alphabet, lengthMax[length])) {
        for (const steps of [sequence, inBatches(sequence)]) {
          const player = new HistoryPlayer(new MemoryLedger(pendingTimeoutMs), startAt);
          await player.play([...lots, ...before, ...steps]);
        }
        played += 1;
      }
      expect(played).toBeGreaterThan(alphabet.length ** lengthMax[length]);
    },
    timeoutMs,
  );
}

import {
  type Call,
  type Command,
  isMessage,
  type Message,
  minuteMs,
  lifetimeMs,
} from './commands.fixture.js';
import { HistoryPlayer, pendingTimeoutMs, type Step } from './history.fixture.js';
import { MemoryLedger } from './play-in-memory.fixture.js';

const startAt = Date.UTC(2025, 0, 1);
/** The cost of every call: the whole balance, so that two calls never hold it at once. */
const credits = 5;
const lots = [2, credits - 2].map((part): Command => {
  return { kind: 'purchase', account: 0, credits: part, expiresInMs: lifetimeMs };
});
const timeOut: Command = { kind: 'move_clock', ms: pendingTimeoutMs };
const keyEnd: Command = { kind: 'move_clock', ms: 15 * minuteMs };

const plain = (name: string): Call => ({ name, credits });
const search = (name: string, content = 'a search'): Call => {
  return { name, credits, repeatable: { idempotencyKey: 'K', content } };
};
const messagesOf = (...calls: Call[]): Message[] =>
  calls.flatMap((call) => (['charge', 'post', 'void'] as const).map((kind) => ({ kind, account: 0, call })));

/** Every sequence of 1 to `lengthMax` of the commands, repetitions included. */
function* sequences(alphabet: readonly Command[], lengthMax: number): Generator<Command[]> {
  for (let length = 1; length <= lengthMax; length++) yield* sequencesOf(alphabet, length);
}

function* sequencesOf(alphabet: readonly Command[], length: number): Generator<Command[]> {
  if (length === 0) yield [];
  else for (const rest of sequencesOf(alphabet, length - 1)) for (const one of alphabet) yield [...rest, one];
}

/** The same commands with all messages between two others in one batch. */
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

it.each<[name: string, alphabet: readonly Command[], lengthMax: number, count: number]>([
  ['one call', [...messagesOf(plain('A')), { kind: 'sweep' }, timeOut], 6, 19_530],
  ['two calls on the credits of one', [...messagesOf(plain('A'), plain('B')), timeOut], 5, 19_607],
  [
    'three calls under one Idempotency-Key',
    [...messagesOf(search('K1'), search('K2'), search('K3')), timeOut, keyEnd],
    4,
    16_104,
  ],
  [
    'a call, its repetition and others, with and without its Idempotency-Key',
    [
      ...messagesOf(search('K1'), search('K2'), search('L', 'another search')),
      { kind: 'charge', account: 0, call: plain('A') },
      timeOut,
    ],
    4,
    16_104,
  ],
])(
  'every sequence of what can happen to %s agrees with the model, in one batch and in many',
  async (_name, alphabet, lengthMax, count) => {
    let played = 0;
    for (const sequence of sequences(alphabet, lengthMax)) {
      for (const steps of [sequence, inBatches(sequence)]) {
        const player = new HistoryPlayer(new MemoryLedger(pendingTimeoutMs), startAt);
        await player.play([...lots, ...steps]);
      }
      played += 1;
    }
    expect(played).toBe(count);
  },
  300_000,
);

import { dayMs } from '../../durations.js';
import { type Answer, type Call, type Command, lifetimeMs, type Repeatable } from './commands.fixture.js';
import { type Expected, type NamedHistory, pendingTimeoutMs, type Step } from './history.fixture.js';

/** The account of named histories, and what happens to it. */
export const account = 0;
export const call = (name: string, credits: number, repeatable?: Repeatable): Call => {
  return { name, credits, ...(repeatable && { repeatable }) };
};
export const one = call('call of 1', 1);
export const two = call('call of 2', 2);
export const four = call('call of 4', 4);
export const sameKey = { idempotencyKey: 'order 1', content: 'a search' };
export const first = call('search', 3, sameKey);
export const again = call('search again', 3, sameKey);
export const oncemore = call('search once more', 3, sameKey);

export const buy = (credits: number, expiresInMs = lifetimeMs): Command => {
  return { kind: 'purchase', account, credits, expiresInMs };
};
export const charge = (of: Call): Command => ({ kind: 'charge', account, call: of });
const abandon = (of: Call): Command => ({ kind: 'abandon', account, call: of });
export const giveUp = (of: Call): Command => ({ kind: 'void', account, call: of });
export const wait = (ms: number): Command => ({ kind: 'move_clock', ms });
export const copies = (command: Command): Step => ({ kind: 'copies', command, count: 5 });
export const charged = (credits_used: number, credits_remaining: number): Answer => {
  return { outcome: 'charged', credits_used, credits_remaining };
};
export const repeated = (credits_remaining: number): Answer => {
  return { outcome: 'charged', credits_used: 0, credits_remaining, is_repeat: true };
};

/** Calls of 1 credit that their client ends so; numbered from `first`, on a balance. */
const calls = (
  count: number,
  balance: number,
  kind: 'post' | 'abandon',
  answer: Answer,
  first = 0,
): Expected[] =>
  Array.from({ length: count }, (_, index): Expected[] => {
    const of = call(`${kind} ${first + index}`, 1);
    const before = answer === 'voided' ? balance : balance - index;
    return [
      [charge(of), charged(1, before - 1)],
      [{ kind, account, call: of }, answer],
    ];
  }).flat();
/** What becomes of calls that their clients leave in the middle of the answer. */
export const abandonedHistories: readonly NamedHistory[] = [
  [
    'five abandoned calls are free on a day (UTC), and one more for each hundred that are paid; the day after, five again',
    [
      [buy(900)],
      ...calls(4, 900, 'abandon', 'voided'),
      [charge(one), charged(1, 899)],
      [copies(abandon(one)), 'voided'],
      [charge(two), charged(2, 898)],
      [copies(abandon(two)), 'posted'],
      [giveUp(two), 'already_posted'],
      ...calls(98, 898, 'post', 'posted'),
      // The hundredth that is paid.
      ...calls(1, 800, 'abandon', 'posted', 4),
      ...calls(1, 799, 'abandon', 'voided', 5),
      ...calls(1, 799, 'abandon', 'posted', 6),
      [wait(dayMs - 1)],
      ...calls(1, 798, 'abandon', 'posted', 7),
      [wait(1)],
      ...calls(5, 797, 'abandon', 'voided', 8),
      ...calls(1, 797, 'abandon', 'posted', 13),
    ],
  ],
  [
    'a call that is abandoned after its time-out is free, and does not count towards the free calls of a day',
    [
      [buy(9)],
      [charge(four), charged(4, 5)],
      [wait(pendingTimeoutMs)],
      [abandon(four), 'expired'],
      ...calls(5, 9, 'abandon', 'voided'),
    ],
  ],
  [
    'an abandoned call that is free can be paid under its Idempotency-Key; one that is paid is repeated for nothing',
    [
      [buy(9)],
      [charge(first), charged(3, 6)],
      [abandon(first), 'voided'],
      ...calls(4, 9, 'abandon', 'voided'),
      [charge(again), charged(3, 6)],
      [abandon(again), 'posted'],
      [charge(oncemore), repeated(6)],
      [abandon(oncemore), 'posted'],
    ],
  ],
];

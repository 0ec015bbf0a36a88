import { minuteMs } from '../../durations.js';
import { type Answer, type Call, type Command } from './commands.fixture.js';
import {
  abandonedHistories,
  account,
  again,
  buy,
  call,
  charge,
  charged,
  copies,
  first,
  four,
  giveUp,
  oncemore,
  one,
  repeated,
  sameKey,
  two,
  wait,
} from './abandoned-histories.fixture.js';
import { type NamedHistory, pendingTimeoutMs } from './history.fixture.js';

const three = call('call of 3', 3);
const ten = call('call of 10', 10);
const other = call('another call of 3', 3);
const free = call('free call', 0);
const cheaper = call('search at another price', 1, sameKey);
const different = call('another search', 3, { ...sameKey, content: 'another search' });

const adjust = (credits: number, reference = 'ours'): Command => {
  return { kind: 'adjust', account, credits, reference };
};
const post = (of: Call): Command => ({ kind: 'post', account, call: of });
const sweep: Command = { kind: 'sweep' };

const refused = (credits_needed: number, credits_remaining: number): Answer => {
  return { outcome: 'insufficient_credits', credits_needed, credits_remaining };
};
const voided: Answer = { outcome: 'voided' };
const earlierPending: Answer = { outcome: 'earlier_call_pending' };
const keyReused: Answer = { outcome: 'idempotency_key_reused' };
const revoked: Answer = { outcome: 'key_revoked' };
const adjusted = (credits_remaining: number): Answer => ({ outcome: 'adjusted', credits_remaining });

/** What random histories rarely come to, with every answer that a user gets. */
export const namedHistories: readonly NamedHistory[] = [
  [
    'a charge takes the oldest credits first, over as many lots as it needs, never from an expired one',
    [[buy(5, 29 * 1_000)], [buy(2, 28 * 1_000)], [buy(9, 0)], [charge(three), charged(3, 4)], [sweep]],
  ],
  [
    'a charge of lots bought at one instant takes them in the order of their ids',
    [[buy(2)], [buy(2)], [buy(2)], [charge(three), charged(3, 3)], [giveUp(three), 'voided']],
  ],
  [
    'a refused charge takes nothing and gets the same answer after a purchase; a new one succeeds',
    [
      [buy(2)],
      [charge(three), refused(3, 2)],
      [buy(10)],
      [copies(charge(three)), refused(3, 2)],
      [charge(other), charged(3, 9)],
    ],
  ],
  [
    'a refusal is remembered for one minute',
    [
      [charge(three), refused(3, 0)],
      [buy(5)],
      [wait(minuteMs - 1)],
      [sweep],
      [charge(three), refused(3, 0)],
      [wait(1)],
      [sweep],
      [charge(three), charged(3, 2)],
    ],
  ],
  [
    'a free call needs no balance, and is posted at once',
    [
      [charge(free), charged(0, 0)],
      [post(free), 'posted'],
    ],
  ],
  [
    'a charge and its settlement that are delivered many times count once',
    [
      [buy(10)],
      [copies(charge(three)), charged(3, 7)],
      [charge(four), charged(4, 3)],
      [copies(charge(three)), charged(3, 7)],
      [copies(post(three)), 'posted'],
      [copies(giveUp(three)), 'already_posted'],
      [copies(giveUp(four)), 'voided'],
      [copies(post(four)), 'voided'],
      [copies(charge(four)), voided],
    ],
  ],
  [
    'a void that comes before its charge keeps that from taking credits',
    [[buy(10)], [copies(giveUp(three)), 'voided'], [post(three), 'voided'], [copies(charge(three)), voided]],
  ],
  [
    'a settlement that posts an unknown charge does not create it',
    [[buy(10)], [post(three), 'unknown_charge'], [charge(three), charged(3, 7)]],
  ],
  [
    'a charge counts as voided from the instant of its time-out, with no sweep running',
    [
      [buy(10)],
      [charge(four), charged(4, 6)],
      [wait(pendingTimeoutMs - 1)],
      [charge(ten), refused(10, 6)],
      [wait(1)],
      [charge(call('second call of 10', 10)), charged(10, 0)],
      [post(four), 'expired'],
      [giveUp(four), 'voided'],
      [charge(four), voided],
    ],
  ],
  [
    'a charge can be posted until a millisecond before its time-out',
    [
      [buy(4)],
      [charge(four), charged(4, 0)],
      [wait(pendingTimeoutMs - 1)],
      [post(four), 'posted'],
      [wait(1)],
    ],
  ],
  [
    'credits can be spent until a millisecond before they expire; the sweep only records that',
    [
      [buy(5, 10_000)],
      [wait(9_999)],
      [charge(one), charged(1, 4)],
      [wait(1)],
      [charge(two), refused(2, 0)],
      [sweep],
    ],
  ],
  [
    'credits of a voided charge go back to their lots, and expire at once where the lot has expired',
    [
      [buy(3, 10_000)],
      [buy(9)],
      [charge(ten), charged(10, 2)],
      [wait(10_000)],
      [sweep],
      [giveUp(ten), 'voided'],
      [charge(one), charged(1, 8)],
    ],
  ],
  ...[-1, 0, 1].map((besideMs): NamedHistory => [
    `credits of a lot that expires ${besideMs} ms after the time-out of their charge go back to it only if it has not expired`,
    [
      [buy(3, pendingTimeoutMs + besideMs)],
      [charge(three), charged(3, 0)],
      [wait(pendingTimeoutMs)],
      [charge(one), besideMs > 0 ? charged(1, 2) : refused(1, 0)],
      [post(three), 'expired'],
      [sweep],
    ],
  ]),
  [
    'a revoked key pays nothing, also not for a free or a repeated call',
    [
      [buy(10)],
      [charge(first), charged(3, 7)],
      [post(first), 'posted'],
      [{ kind: 'revoke_key', account }],
      [charge(one), revoked],
      [charge(free), revoked],
      [charge(again), revoked],
    ],
  ],
  [
    'a correction counts an overdue charge as returned, and never takes more than the balance',
    [
      [buy(10, 20_000)],
      [buy(5)],
      [charge(ten), charged(10, 5)],
      [adjust(-6), 'conflict'],
      [wait(pendingTimeoutMs)],
      [copies(adjust(-5, 'all')), adjusted(0)],
      [copies(adjust(7)), adjusted(7)],
      [copies(adjust(-5, 'all')), adjusted(0)],
    ],
  ],
  [
    'a call under the Idempotency-Key of a paid one is free for 15 minutes, to the millisecond',
    [
      [buy(10)],
      [copies(charge(first)), charged(3, 7)],
      [charge(again), earlierPending],
      [post(first), 'posted'],
      [copies(charge(oncemore)), repeated(7)],
      [charge(different), keyReused],
      [wait(15 * minuteMs - 1)],
      [sweep],
      [charge(cheaper), repeated(7)],
      [wait(1)],
      [charge(call('search 4', 3, sameKey)), charged(3, 4)],
      [charge(call('search 5', 3, sameKey)), earlierPending],
      [giveUp(oncemore), 'voided'],
    ],
  ],
  [
    'a repeated call needs no credits, and takes nothing when it was voided before it came',
    [
      [buy(3)],
      [charge(first), charged(3, 0)],
      [post(first), 'posted'],
      [giveUp(again), 'voided'],
      [charge(again), voided],
      [charge(oncemore), repeated(0)],
    ],
  ],
  [
    'a call under the Idempotency-Key of one that was given up is charged, and can be repeated itself',
    [
      [buy(10)],
      [charge(first), charged(3, 7)],
      [charge(different), keyReused],
      [giveUp(first), 'voided'],
      [charge(cheaper), charged(1, 9)],
      [post(cheaper), 'posted'],
      [giveUp(first), 'voided'],
      [charge(again), repeated(9)],
    ],
  ],
  [
    'a call under the Idempotency-Key of one that timed out is charged from that instant, with no sweep running',
    [
      [buy(10)],
      [charge(first), charged(3, 7)],
      [wait(pendingTimeoutMs - 1)],
      [charge(again), earlierPending],
      [wait(1)],
      [charge(different), charged(3, 7)],
    ],
  ],
  [
    'a call that was refused or free does not make another one under its Idempotency-Key free',
    [
      [charge(first), refused(3, 0)],
      [charge(call('free search', 0, sameKey)), charged(0, 0)],
      [buy(5)],
      [charge(again), charged(3, 2)],
    ],
  ],
  [
    'a charge that timed out stays voided when the clock is put back',
    [
      [buy(10)],
      [charge(three), charged(3, 7)],
      [wait(pendingTimeoutMs)],
      [post(three), 'expired'],
      [wait(-2_000)],
      [post(three), 'expired'],
      [charge(three), voided],
      [charge(ten), charged(10, 0)],
    ],
  ],
  [
    'credits that go back to a lot which was written off, after the clock was put back, expire once more',
    [
      [buy(5, 10_000)],
      [charge(two), charged(2, 3)],
      [wait(10_000)],
      [sweep],
      [wait(-2_000)],
      [giveUp(two), 'voided'],
      [charge(three), refused(3, 2)],
      [wait(2_000)],
      [sweep],
    ],
  ],
  [
    'a call repeats the younger of two paid ones under its Idempotency-Key when the clock is put back',
    [
      [buy(10)],
      [charge(first), charged(3, 7)],
      [post(first), 'posted'],
      [wait(15 * minuteMs)],
      [charge(again), charged(3, 4)],
      [post(again), 'posted'],
      [wait(-60 * minuteMs)],
      [charge(oncemore), repeated(4)],
    ],
  ],
  ...abandonedHistories,
];

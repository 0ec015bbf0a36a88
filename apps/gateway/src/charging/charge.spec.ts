import { Socket } from 'node:net';
import { type Settlement } from '#contracts';
import { Exchange } from '../edge/connections/exchange.js';
import { Charge } from './charge.js';

const handOverMs = 20_000;

let socket: Socket;
let exchange: Exchange;
let outcomes: Settlement['outcome'][];
let pending: Charge;
let abandoned: number;

beforeEach(() => {
  socket = new Socket();
  exchange = new Exchange(socket);
  outcomes = [];
  pending = new Charge({
    id: 'charge-1',
    accountId: 'account-1',
    exchange,
    settler: { settle: ({ outcome }) => void outcomes.push(outcome) },
    whenLeftUnanswered: () => (abandoned += 1),
  });
  abandoned = 0;
});
afterEach(() => socket.destroy());

const begin = () => pending.markSent(3, handOverMs);
const deliver = () => {
  begin();
  pending.deliver();
};

it.each<[string, () => void, Settlement['outcome'] | null, number]>([
  ['is posted when its answer was handed over whole', () => exchange.answered(), 'posted', 0],
  ['is not settled before that', () => undefined, null, 0],
  ['is voided when the client goes before its answer', () => exchange.disconnected(), 'voided', 1],
  ['is voided at once when it is given up', () => pending.voidNow(), 'voided', 0],
])('a charge %s', (_name, act, outcome, abandonedCalls) => {
  deliver();
  act();
  expect(outcomes).toEqual(outcome === null ? [] : [outcome]);
  if (outcome !== null) exchange.answered();
  pending.voidNow();
  exchange.disconnected();
  expect(outcomes).toEqual([outcome ?? 'voided']);
  expect(abandoned).toBe(abandonedCalls);
});

it('a charge is voided when the answer counts as written only because its connection is gone', () => {
  deliver();
  socket.destroy();
  exchange.answered();
  expect(outcomes).toEqual(['voided']);
});

it('a charge is voided when another answer than the paid one was handed over', () => {
  begin();
  exchange.answered();
  expect(outcomes).toEqual(['voided']);
});

it('a charge has nothing to settle when it is of 0 credits, or billing refused it', () => {
  pending.markSent(0, handOverMs);
  pending.voidNow();
  begin();
  pending.release();
  pending.voidNow();
  exchange.disconnected();
  expect(outcomes).toEqual([]);
});

describe('a charge in time', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function isCutOffAfter(ms: number): boolean {
    jest.advanceTimersByTime(ms);
    return socket.destroyed;
  }

  it('sets its client no limit when it takes no credits', () => {
    pending.markSent(0, handOverMs);
    expect(isCutOffAfter(2 * handOverMs)).toBe(false);
    begin();
    pending.release();
    expect(isCutOffAfter(2 * handOverMs)).toBe(false);
  });

  it('ends the connection of an answer that is not handed over', () => {
    deliver();
    expect(isCutOffAfter(handOverMs - 1)).toBe(false);
    expect(isCutOffAfter(1)).toBe(true);
  });

  it('leaves the connection open when the answer was handed over', () => {
    deliver();
    exchange.answered();
    expect(isCutOffAfter(2 * handOverMs)).toBe(false);
  });
});

import { Socket } from 'node:net';
import { Exchange } from '../connections/exchange.js';
import { busy } from '../../errors/gateway-errors.js';
import { AdaptiveConcurrencyLimit } from './adaptive-concurrency-limit.js';
import { Admission, type Release } from './admission.js';

const slots = 8;
const options = { waitMaxMs: 2_000, overloadWaitMaxMs: 200, waitingMax: 100, workMaxMs: 6_000 };

let admission: Admission;
let socket: Socket;

beforeEach(() => {
  jest.useFakeTimers();
  socket = new Socket();
  admission = newAdmission();
});
afterEach(() => {
  jest.useRealTimers();
  socket.destroy();
});

function newAdmission(change: Partial<typeof options> = {}): Admission {
  const limit = new AdaptiveConcurrencyLimit({ min: slots, max: slots });
  return new Admission({ ...options, limit, ...change });
}

/** A call and its outcome. */
class Call {
  release: Release | undefined;
  error: unknown;
  readonly exchange = new Exchange(socket);

  constructor(key: string, account: string) {
    admission.enter({ account, key }, this.exchange).then(
      (release) => (this.release = release),
      (error: unknown) => (this.error = error),
    );
  }

  get state(): 'in progress' | 'waiting' | 'refused' {
    if (this.release) return 'in progress';
    return this.error === undefined ? 'waiting' : 'refused';
  }
}

/** Of a key, which is the only one of its account unless that is named. */
const callsOf = (key: string, count: number, account = `account of ${key}`): Call[] =>
  Array.from({ length: count }, () => new Call(key, account));
const pass = (ms = 0): Promise<void> => jest.advanceTimersByTimeAsync(ms);
const inWork = (calls: readonly Call[]): number =>
  calls.filter(({ state }) => state === 'in progress').length;

/** Answers every call in progress. */
async function answerAll(calls: readonly Call[]): Promise<void> {
  for (const { release } of calls) release?.(true);
  await pass();
}

it('calls beyond the limit wait, and get a slot when others are answered', async () => {
  const calls = callsOf('a', slots + 3);
  await pass();
  expect(inWork(calls)).toBe(slots);
  calls[0]?.release?.(true);
  await pass();
  expect(inWork(calls)).toBe(slots + 1);
  expect(calls.at(-1)?.state).toBe('waiting');
});

it('a call whose turn does not come within the budget is refused then, and not before', async () => {
  const calls = callsOf('a', slots + 1);
  await pass(1_900);
  expect(calls.at(-1)?.state).toBe('waiting');
  await pass(150);
  expect(calls.at(-1)?.error).toBe(busy);
});

it('a slot is given back once, however often it is released', async () => {
  const calls = callsOf('a', slots + 3);
  await pass();
  calls[0]?.release?.(true);
  calls[0]?.release?.(true);
  calls[0]?.release?.(true);
  await pass();
  expect(inWork(calls)).toBe(slots + 1);
});

it('a key with one call waits behind one call of a busy key, not behind all of them', async () => {
  const busyCalls = callsOf('busy', slots + 50);
  const [one] = callsOf('one', 1);
  await pass();
  expect(one?.state).toBe('waiting');
  busyCalls[0]?.release?.(true);
  busyCalls[1]?.release?.(true);
  await pass();
  expect(one?.state).toBe('in progress');
});

it('a busy key holds only its share of the slots while others have calls too', async () => {
  const others = ['b', 'c', 'd', 'e'].flatMap((key) => callsOf(key, 1));
  const busyCalls = callsOf('busy', 50);
  await pass();
  expect(inWork(others)).toBe(4);
  expect(inWork(busyCalls)).toBe(slots / 4);
  await answerAll(others);
  expect(inWork(busyCalls)).toBe(slots);
});

it('an account with five keys gets one share beside an account with one key', async () => {
  const many = [1, 2, 3, 4, 5].flatMap((number) => callsOf(`key ${number}`, 20, 'many keys'));
  const one = callsOf('one', 20);
  await pass();
  expect([inWork(many), inWork(one)]).toEqual([slots, 0]);
  for (let round = 1; round <= 4; round++) {
    await answerAll([...many, ...one]);
    expect(inWork(one)).toBe((round * slots) / 2);
  }
});

it('the keys of one account share what it holds', async () => {
  const busyCalls = callsOf('busy', 50, 'account');
  const others = callsOf('other', 4, 'account');
  await pass();
  expect(inWork(busyCalls)).toBe(slots);
  await answerAll(busyCalls.slice(0, 6));
  expect(inWork(others)).toBe(4);
});

it('when the line is full an account with many keys gives way to another account, and a busy key to another of its account', async () => {
  admission = newAdmission({ waitingMax: 10 });
  const many = [1, 2, 3, 4, 5].flatMap((number) => callsOf(`key ${number}`, 4, 'many keys'));
  const [one] = callsOf('one', 1);
  await pass();
  expect(many.filter(({ state }) => state === 'refused')).toHaveLength(3);
  expect(one?.state).toBe('waiting');
  const [sixth] = callsOf('key 6', 1, 'many keys');
  await pass();
  expect(sixth?.state).toBe('waiting');
  expect(many.filter(({ state }) => state === 'refused')).toHaveLength(4);
});

it('when the line is full the newest call of the busiest key gives way to another key', async () => {
  admission = newAdmission({ waitingMax: 10 });
  const busyCalls = callsOf('busy', slots + 10);
  const [one] = callsOf('one', 1);
  await pass();
  expect(one?.state).toBe('waiting');
  expect(busyCalls.at(-1)?.state).toBe('refused');
  expect(busyCalls.filter(({ state }) => state === 'refused')).toHaveLength(1);
  const [more] = callsOf('busy', 1);
  await pass();
  expect(more?.state).toBe('refused');
});

it('under an overload that lasts calls wait for the shorter budget, and for the whole one again after it', async () => {
  const stuck = callsOf('a', slots);
  for (let elapsedMs = 0; elapsedMs < 3_000; elapsedMs += 100) {
    callsOf('a', 1);
    await pass(100);
  }
  const [late] = callsOf('a', 1);
  await pass(250);
  expect(late?.state).toBe('refused');
  await answerAll(stuck);
  await pass(1_100);
  callsOf('b', slots);
  const [later] = callsOf('b', 1);
  await pass(1_900);
  expect(later?.state).toBe('waiting');
});

it('a client that leaves gives up its turn', async () => {
  const calls = callsOf('a', slots + 2);
  await pass();
  calls[slots]?.exchange.disconnected();
  calls[0]?.release?.(true);
  await pass();
  expect(calls[slots]?.state).toBe('refused');
  expect(calls[slots + 1]?.state).toBe('in progress');
});

it('the slot of a call that never ends is free again after the longest time that a call may take', async () => {
  const lost = callsOf('a', slots);
  await pass(5_000);
  const [waiting] = callsOf('a', 1);
  await pass(1_100);
  expect(waiting?.state).toBe('in progress');
  await answerAll(lost);
  const more = callsOf('a', slots);
  await pass();
  expect(inWork(more)).toBe(slots - 1);
});

describe('the health of the gateway', () => {
  it('is fine while calls are refused because others are in progress', async () => {
    callsOf('a', slots);
    for (let elapsedMs = 0; elapsedMs < 5_000; elapsedMs += 100) {
      callsOf('a', 1);
      await pass(100);
    }
    expect(admission.problem).toBeNull();
  });

  it('is a problem when every call is refused for seconds although none is in progress', async () => {
    const limit = new AdaptiveConcurrencyLimit({ min: 1, max: 1 });
    jest.spyOn(limit, 'limit', 'get').mockReturnValue(0);
    admission = new Admission({ ...options, limit });
    for (let elapsedMs = 0; elapsedMs < 6_000; elapsedMs += 100) {
      callsOf('a', 1);
      await pass(100);
    }
    expect(admission.problem).toContain('none is in progress');
    await pass(10_000);
    expect(admission.problem).toBeNull();
  });
});

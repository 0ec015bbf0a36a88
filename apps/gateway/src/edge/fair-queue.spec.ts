import { busy } from '#http';
import { Socket } from 'node:net';
import * as fc from 'fast-check';
import { clientGone } from '../errors/gateway-errors.js';
import { Exchange } from './connections/exchange.js';
import { FairQueue, type Release, strangers } from './fair-queue.js';

const slots = 8;
const options = { inWorkMax: slots, strangersMax: 2, waitingMax: 100, waitMaxMs: 2_000, workMaxMs: 6_000 };

let queue: FairQueue;
let socket: Socket;
/** The keys of the calls that have begun, in their order. */
let begun: string[];

beforeEach(() => {
  jest.useFakeTimers();
  socket = new Socket();
  begun = [];
  queue = new FairQueue(options);
});
afterEach(() => {
  jest.useRealTimers();
  socket.destroy();
});

/** A call and its outcome. */
class Call {
  release: Release | undefined;
  error: unknown;
  readonly exchange = new Exchange(socket);

  constructor(key: string, account: string) {
    queue.enter({ account, key }, this.exchange).then(
      (release) => {
        this.release = release;
        begun.push(key);
      },
      (error: unknown) => (this.error = error),
    );
  }

  get state(): 'in progress' | 'waiting' | 'refused' {
    if (this.release) return 'in progress';
    return this.error === undefined ? 'waiting' : 'refused';
  }
}

/** Calls of a key, which is the only one of its account unless that is named. */
const callsOf = (key: string, count: number, account = `account of ${key}`): Call[] =>
  Array.from({ length: count }, () => new Call(key, account));
const pass = (ms = 0): Promise<void> => jest.advanceTimersByTimeAsync(ms);
const statesOf = (calls: readonly Call[], state: Call['state']): number =>
  calls.filter((call) => call.state === state).length;

/** The keys of the calls that wait, in the order in which they get the slot of the call before. */
async function turns(inWork: readonly Call[], waiting: readonly Call[]): Promise<string[]> {
  await pass();
  begun = [];
  inWork[0]?.release?.();
  await pass();
  while (statesOf(waiting, 'waiting') > 0) {
    for (const call of waiting) call.release?.();
    await pass();
  }
  return begun;
}

it('a call that gets no slot within its time is refused then, and not before', async () => {
  const calls = callsOf('a', slots + 1);
  await pass(1_999);
  expect(calls.at(-1)?.state).toBe('waiting');
  await pass(1);
  expect(calls.at(-1)?.error).toBe(busy);
});

it('the accounts take turns however many keys they have, and in its turns the keys of an account', async () => {
  const inWork = callsOf('first', slots);
  const waiting = ['a', 'b', 'a', 'c'].flatMap((key) => callsOf(key, 1, 'one'));
  waiting.push(...callsOf('x', 3, 'two'));
  expect(await turns(inWork, waiting)).toEqual(['a', 'x', 'b', 'x', 'c', 'x', 'a']);
});

it('every call that waits gets a slot once, and none waits behind two of the same other account', async () => {
  const accounts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(accounts, async (keys) => {
      queue = new FairQueue({ ...options, inWorkMax: 1 });
      const order = await turns(
        callsOf('first', 1),
        keys.flatMap((key) => callsOf(key, 1)),
      );
      expect([...order].sort()).toEqual([...keys].sort());
      for (const key of new Set(keys)) {
        const before = order.slice(0, order.indexOf(key));
        expect(before).toHaveLength(new Set(before).size);
      }
    }),
    { numRuns: 30 },
  );
});

it('strangers take the turns of one account, by network, and have a part of the slots', async () => {
  const flood = ['n1', 'n2', 'n3'].flatMap((network) => callsOf(network, 20, strangers));
  await pass();
  expect(statesOf(flood, 'in progress')).toBe(options.strangersMax);
  const customers = callsOf('a', slots);
  await pass();
  expect(statesOf(customers, 'in progress')).toBe(slots - options.strangersMax);
  begun = [];
  flood[0]?.release?.();
  customers[0]?.release?.();
  flood[1]?.release?.();
  await pass();
  expect(begun).toEqual(['n1', 'a', 'n2']);
});

it('when too many wait, the newest call of the busiest account gives way, and in an account of the busiest key', async () => {
  queue = new FairQueue({ ...options, waitingMax: 10 });
  const many = [1, 2, 3, 4, 5].flatMap((number) => callsOf(`key ${number}`, 4, 'many keys'));
  const [one] = callsOf('one', 1);
  await pass();
  expect([statesOf(many, 'refused'), one?.state]).toEqual([3, 'waiting']);
  const [sixth] = callsOf('key 6', 1, 'many keys');
  await pass();
  expect([statesOf(many, 'refused'), sixth?.state]).toEqual([4, 'waiting']);
  const more = callsOf('key 5', 1, 'many keys');
  await pass();
  expect(more[0]?.error).toBe(busy);
});

it('a client that leaves gives up its turn', async () => {
  const calls = callsOf('a', slots + 2);
  await pass();
  calls[slots]?.exchange.disconnected();
  calls[0]?.release?.();
  await pass();
  expect([calls[slots]?.error, calls[slots + 1]?.state]).toEqual([clientGone, 'in progress']);
});

it('the slot of a call that never ends is free again after the longest time that a call may take', async () => {
  const lost = callsOf('a', slots);
  await pass(5_000);
  const [waiting] = callsOf('a', 1);
  await pass(1_100);
  expect(waiting?.state).toBe('in progress');
  for (const call of lost) call.release?.();
  const more = callsOf('a', slots);
  await pass();
  expect(statesOf(more, 'in progress')).toBe(slots - 1);
});

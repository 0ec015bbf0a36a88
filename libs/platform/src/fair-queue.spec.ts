import { type EndOfWork, FairQueue, type FairQueueOptions } from './fair-queue.js';

const options: FairQueueOptions = {
  atOnceMax: 5,
  shareMax: 3,
  waitingMax: 6,
  waitingOfKeyMax: 4,
  waitMaxMs: 1_000,
};

describe('a fair queue', () => {
  let queue: FairQueue;
  let begun: string[];
  let ends: Map<string, EndOfWork>;
  let refused: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    queue = new FairQueue(options);
    begun = [];
    refused = [];
    ends = new Map();
  });
  afterEach(() => jest.useRealTimers());

  /** Works named by their key and a number: `a1`, `a2`. */
  async function enter(...names: string[]): Promise<void> {
    for (const name of names) {
      void queue.enter(name.charAt(0)).then((end) => {
        if (!end) return refused.push(name);
        ends.set(name, end);
        return begun.push(name);
      });
    }
    await settle();
  }
  async function end(name: string): Promise<void> {
    ends.get(name)?.();
    await settle();
  }
  const settle = () => jest.advanceTimersByTimeAsync(0);

  it('begins the work of a key up to its share, and the rest as that ends, in its order', async () => {
    await enter('a1', 'a2', 'a3', 'a4', 'a5');
    expect(begun).toEqual(['a1', 'a2', 'a3']);
    await end('a2');
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
    expect(queue.waiting).toBe(0);
  });

  it('does not delay a key because another has its share', async () => {
    await enter('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2');
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
    await enter('c1');
    await end('b1');
    expect(begun.at(-1)).toBe('c1');
    await end('a1');
    expect(begun.at(-1)).toBe('a4');
  });

  it('refuses work when the queue is full, for its key or in total', async () => {
    await enter('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8');
    expect(refused).toEqual(['a8']);
    await enter('b1', 'b2', 'c1', 'c2', 'c3');
    expect(refused).toEqual(['a8', 'c3']);
  });

  it('refuses work that has waited too long, and none that has begun', async () => {
    await enter('a1', 'a2', 'a3', 'a4');
    await jest.advanceTimersByTimeAsync(999);
    expect(refused).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect([refused, queue.waiting]).toEqual([['a4'], 0]);
  });
});

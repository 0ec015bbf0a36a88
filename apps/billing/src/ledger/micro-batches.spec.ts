import { setTimeout as delay } from 'node:timers/promises';
import { MicroBatches, type Outcome } from './micro-batches.js';

interface Gate {
  readonly open: () => void;
  readonly passed: Promise<void>;
}

function gate(): Gate {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
}

const echo = (items: number[]): Outcome<number>[] => items.map((item) => ({ result: item }));

function batchesOf(apply: (items: number[]) => Promise<Outcome<number>[]>, waitMaxMs = 1_000) {
  return new MicroBatches<number, number>({ lanes: 2, sizeMax: 4, waitMaxMs, laneOf: (item) => item, apply });
}

describe('micro-batches', () => {
  it('put what arrives together into one batch, in the order of arrival', async () => {
    const seen: number[][] = [];
    const batches = batchesOf((items) => (seen.push(items), Promise.resolve(echo(items))));
    expect(await Promise.all([2, 4, 6].map((item) => batches.submit(item)))).toEqual([2, 4, 6]);
    expect(seen).toEqual([[2, 4, 6]]);
  });

  it('collect what arrives while a batch is under way, up to the size of one', async () => {
    const seen: number[][] = [];
    const [started, first] = [gate(), gate()];
    const batches = batchesOf(async (items) => {
      seen.push(items);
      started.open();
      if (seen.length === 1) await first.passed;
      return echo(items);
    });
    const results = [batches.submit(2)];
    await started.passed;
    results.push(...[4, 6, 8, 10, 12].map((item) => batches.submit(item)));
    first.open();
    expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10, 12]);
    expect(seen).toEqual([[2], [4, 6, 8, 10], [12]]);
  });

  it('do not let one lane wait for another', async () => {
    const even = gate();
    const batches = batchesOf(async (items) => {
      if (items[0] === 2) await even.passed;
      return echo(items);
    });
    const slow = batches.submit(2);
    expect(await batches.submit(3)).toBe(3);
    even.open();
    expect(await slow).toBe(2);
  });

  it('give each item its own outcome, and the error of the batch to all', async () => {
    const batches = batchesOf((items) => {
      if (items.includes(8)) return Promise.reject(new Error('all'));
      return Promise.resolve(
        items.map((item) => (item === 4 ? { error: new Error('four') } : { result: item })),
      );
    });
    const settled = await Promise.allSettled([batches.submit(2), batches.submit(4)]);
    expect(settled).toMatchObject([{ value: 2 }, { reason: { message: 'four' } }]);
    await expect(Promise.all([batches.submit(6), batches.submit(8)])).rejects.toThrow('all');
    expect(await batches.submit(10)).toBe(10);
  });

  it('refuse what has waited longer than its submitter would', async () => {
    const [started, first] = [gate(), gate()];
    const seen: number[][] = [];
    const batches = batchesOf(async (items) => {
      seen.push(items);
      started.open();
      await first.passed;
      return echo(items);
    }, 200);
    const slow = batches.submit(2);
    await started.passed;
    const late = batches.submit(4);
    await delay(250);
    first.open();
    expect(await slow).toBe(2);
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    expect(seen).toEqual([[2]]);
  });
});

import { setImmediate as othersFirst, setTimeout as delay } from 'node:timers/promises';
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

interface Times {
  readonly waitMaxMs?: number;
  readonly patienceMs?: number;
}

/** Items from 100 on are patient. */
function batchesOf(
  apply: (items: number[]) => Promise<Outcome<number>[]>,
  { waitMaxMs = 1_000, patienceMs = 1 }: Times = {},
) {
  return new MicroBatches<number, number>({
    lanes: 2,
    sizeMax: 4,
    waitMaxMs,
    laneOf: (item) => item,
    isPatient: (item) => item >= 100,
    patienceMs,
    apply,
  });
}

const longMs = 600_000;

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
    const batches = batchesOf(
      async (items) => {
        seen.push(items);
        started.open();
        await first.passed;
        return echo(items);
      },
      { waitMaxMs: 200 },
    );
    const slow = batches.submit(2);
    await started.passed;
    const late = batches.submit(4);
    await delay(250);
    first.open();
    expect(await slow).toBe(2);
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    expect(seen).toEqual([[2]]);
  });

  it('apply what is patient together with the next one that is not', async () => {
    const seen: number[][] = [];
    const batches = batchesOf((items) => (seen.push(items), Promise.resolve(echo(items))), {
      patienceMs: longMs,
      waitMaxMs: longMs,
    });
    const patient = [100, 102].map((item) => batches.submit(item));
    expect(await batches.submit(3)).toBe(3);
    expect(await batches.submit(2)).toBe(2);
    expect(await Promise.all(patient)).toEqual([100, 102]);
    expect(seen).toEqual([[3], [100, 102, 2]]);
  });

  it('apply what is patient by itself when nothing else comes, or when it fills a batch', async () => {
    const seen: number[][] = [];
    const apply = (items: number[]) => (seen.push(items), Promise.resolve(echo(items)));
    expect(await batchesOf(apply).submit(100)).toBe(100);
    const batches = batchesOf(apply, { patienceMs: longMs, waitMaxMs: longMs });
    await Promise.all([100, 102, 104, 106].map((item) => batches.submit(item)));
    expect(seen).toEqual([[100], [100, 102, 104, 106]]);
  });

  it('leave what is patient, and came while a batch was under way, for the next one', async () => {
    const seen: number[][] = [];
    const [started, first] = [gate(), gate()];
    const apply = async (items: number[]) => {
      seen.push(items);
      started.open();
      await first.passed;
      return echo(items);
    };
    const batches = batchesOf(apply, { patienceMs: longMs, waitMaxMs: longMs });
    const busy = batches.submit(2);
    await started.passed;
    const patient = batches.submit(100);
    first.open();
    await busy;
    await othersFirst();
    expect(await batches.submit(4)).toBe(4);
    expect(await patient).toBe(100);
    expect(seen).toEqual([[2], [100, 4]]);
  });
});

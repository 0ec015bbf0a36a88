import { setTimeout as delay } from 'node:timers/promises';
import { MicroBatches, type Outcome } from './micro-batches.js';

function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
}

const echo = (items: number[]): Outcome<number>[] => items.map((item) => ({ result: item }));

interface Times {
  readonly waitMaxMs?: number;
  readonly maxBatchDelayMs?: number;
}

/** Items from 100 on can wait. */
function batchesOf(
  apply: (items: number[]) => Promise<Outcome<number>[]>,
  { waitMaxMs = 1_000, maxBatchDelayMs = 1 }: Times = {},
) {
  return new MicroBatches<number, number>({
    lanes: 2,
    slowLanesMax: 1,
    sizeMax: 4,
    waitMaxMs,
    laneOf: (item) => item,
    ownerOf: (item) => String(item % 10),
    canWait: (item) => item >= 100,
    maxBatchDelayMs,
    apply,
  });
}

const longMs = 600_000;
const never: Times = { maxBatchDelayMs: longMs, waitMaxMs: longMs };

/** Batches whose items are their own results; `seen` is what was applied, and the first batch waits for `first`. */
function recorded(times?: Times, isHeld = false) {
  const seen: number[][] = [];
  const [started, first] = [gate(), gate()];
  const batches = batchesOf(async (items) => {
    seen.push(items);
    started.open();
    if (isHeld && seen.length === 1) await first.passed;
    return echo(items);
  }, times);
  return { batches, seen, started, first };
}

describe('micro-batches', () => {
  it('collect what arrives while a batch is running, up to the maximum size', async () => {
    const { batches, seen, started, first } = recorded({}, true);
    const results = [batches.submit(2)];
    await started.passed;
    results.push(...[4, 6, 8, 10, 12].map((item) => batches.submit(item)));
    first.open();
    expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10, 12]);
    expect(seen).toEqual([[2], [4, 6, 8, 10], [12]]);
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

  it('refuse an item that has waited for longer than its caller does', async () => {
    const { batches, seen, started, first } = recorded({ waitMaxMs: 200 }, true);
    const slow = batches.submit(2);
    await started.passed;
    const late = batches.submit(4);
    await delay(250);
    first.open();
    expect(await slow).toBe(2);
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    expect(seen).toEqual([[2]]);
  });

  it('apply items that can wait together with the next one that cannot', async () => {
    const { batches, seen } = recorded(never);
    const patient = [100, 102].map((item) => batches.submit(item));
    expect(await batches.submit(3)).toBe(3);
    expect(await batches.submit(2)).toBe(2);
    expect(await Promise.all(patient)).toEqual([100, 102]);
    expect(seen).toEqual([[3], [100, 102, 2]]);
  });

  it('apply items that can wait by themselves when no other item comes, or when they fill a batch', async () => {
    expect(await recorded().batches.submit(100)).toBe(100);
    const { batches, seen } = recorded(never);
    await Promise.all([100, 102, 104, 106].map((item) => batches.submit(item)));
    expect(seen).toEqual([[100, 102, 104, 106]]);
  });

  it('do not wait for deferred items, which continue together with later ones of their owner', async () => {
    const seen: number[][] = [];
    const [tried, slowIsOver] = [gate(), gate()];
    let isFirst = true;
    const batches = batchesOf(async (items) => {
      seen.push(items);
      if (isFirst) {
        isFirst = false;
        return items.map((item) => (item === 2 ? { deferred: true } : { result: item }));
      }
      if (items.includes(2)) {
        tried.open();
        await slowIsOver.passed;
      }
      return echo(items);
    });
    const deferred = [batches.submit(2)];
    expect(await batches.submit(4)).toBe(4);
    await tried.passed;
    deferred.push(batches.submit(12), batches.submit(22));
    expect(await batches.submit(6)).toBe(6);
    slowIsOver.open();
    expect(await Promise.all(deferred)).toEqual([2, 12, 22]);
    expect(seen).toEqual([[2, 4], [2], [6], [12, 22]]);
    expect(await Promise.all([batches.submit(2), batches.submit(8)])).toEqual([2, 8]);
    expect(seen.at(-1)).toEqual([2, 8]);
  });

  it('defer with an item the later ones of its owner, after it, and nothing else', async () => {
    const seen: number[][] = [];
    const [begun, decided] = [gate(), gate()];
    const batches = batchesOf(async (items) => {
      seen.push(items);
      if (seen.length > 1) return echo(items);
      begun.open();
      await decided.passed;
      return [{ deferred: true }];
    });
    const all = [batches.submit(2)];
    await begun.passed;
    all.push(batches.submit(12), batches.submit(4));
    decided.open();
    expect(await Promise.all(all)).toEqual([2, 12, 4]);
    expect(seen).toHaveLength(3);
    expect(seen).toEqual(expect.arrayContaining([[2], [2, 12], [4]]));
  });

  it('try a deferred item again and again, for as long as its caller waits', async () => {
    let tries = 0;
    const batches = batchesOf(
      (items) => {
        tries += 1;
        return Promise.resolve(items.map((item) => (item === 2 ? { deferred: true } : { result: item })));
      },
      { waitMaxMs: 50 },
    );
    await expect(batches.submit(2)).rejects.toMatchObject({ code: 'unavailable' });
    expect(tries).toBeGreaterThan(2);
  });
});

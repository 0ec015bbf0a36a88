import { performance } from 'node:perf_hooks';
import { percentile } from './percentile.js';
import { type SearchRequest } from '#contracts';
import { type Shape } from './queries.js';

/** Something that answers searches: how many match. */
export interface Engine {
  readonly name: string;
  search(request: SearchRequest): Promise<number>;
}

export type EngineResult = Awaited<ReturnType<typeof measureEngine>>;

interface Measurement {
  readonly creators: number;
  /** How many searches run at once: each caller sends its next query when the previous one is answered. */
  readonly callers: number;
  readonly repetitions: number;
}

/** Runs every query so many times after a warm-up, alternating between the shapes. */
export async function measureEngine(
  engine: Engine,
  shapes: readonly Shape[],
  { creators, callers, repetitions }: Measurement,
) {
  await measureRound(engine, shapes, callers);
  const rounds: number[][][] = [];
  const startedAt = performance.now();
  for (let round = 0; round < repetitions; round++) rounds.push(await measureRound(engine, shapes, callers));
  const seconds = (performance.now() - startedAt) / 1_000;
  const results = shapes.map((shape, number) =>
    resultOf(
      shape,
      rounds.flatMap((round) => round[number] ?? []),
    ),
  );
  const all = rounds.flat(2);
  return {
    engine: engine.name,
    creators,
    callers,
    p50Ms: rounded(all, 0.5),
    p99Ms: rounded(all, 0.99),
    /** Over the whole mix. */
    queriesPerSecond: Number((all.length / seconds).toPrecision(3)),
    shapes: results,
  };
}

/** Runs one query of each shape after the other, so that concurrent callers run different ones. */
async function measureRound(engine: Engine, shapes: readonly Shape[], callers: number): Promise<number[][]> {
  const times: number[][] = shapes.map(() => []);
  const turns = Math.max(...shapes.map(({ queries }) => queries.length));
  const next = Array.from({ length: turns }, (_, query) =>
    shapes.map(({ queries }, shape) => ({ request: queries[query], ofShape: times[shape], query })),
  )
    .flat()
    .values();
  const runQueries = async (): Promise<void> => {
    for (const { request, ofShape, query } of next) {
      if (!request || !ofShape) continue;
      const startedAt = performance.now();
      await engine.search(request);
      ofShape[query] = performance.now() - startedAt;
    }
  };
  await Promise.all(Array.from({ length: callers }, runQueries));
  return times;
}

function resultOf({ name }: Shape, times: readonly number[]) {
  return {
    shape: name,
    p50Ms: rounded(times, 0.5),
    p99Ms: rounded(times, 0.99),
    worstMs: rounded(times, 1),
  };
}

function rounded(values: readonly number[], part: number): number {
  return Number(percentile(values, part).toPrecision(3));
}

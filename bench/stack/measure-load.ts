import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { searchCreators, type SearchRequest } from '@app/contracts';
import { type Stack } from '@app/local-stack';
import { Metrics } from '@app/testing';
import { percentile } from '../percentile.js';
import { cpuSeconds } from './processes.js';

/** Gives the milliseconds of one search. */
export interface Searcher {
  search(search: SearchRequest): Promise<number>;
}

/** So many clients that search, each one call at a time, until `during` resolves. */
export interface Load {
  readonly name: string;
  readonly clients: number;
  /** Between the calls of a client. */
  readonly pauseMs?: number;
  readonly during: () => Promise<unknown>;
}

export interface LoadResult {
  readonly name: string;
  readonly clients: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  /** The share of the searches that the catalog itself answered within 10 ms of taking them. */
  readonly catalogWithin10Ms: number;
  /** CPU milliseconds of each part for one call. */
  readonly cpuMsPerCall: Readonly<Record<string, number>>;
}

export async function measureLoad(
  stack: Stack,
  searcher: Searcher,
  queries: readonly SearchRequest[],
  { name, clients, pauseMs, during }: Load,
): Promise<LoadResult> {
  const times: number[] = [];
  let isOver = false;
  const client = async (number: number): Promise<void> => {
    for (let call = number * 7; !isOver; call++) {
      times.push(await searcher.search(queries[call % queries.length] ?? { limit: 50 }));
      if (pauseMs !== undefined) await wait(pauseMs);
    }
  };
  const handledBefore = await handled(stack);
  const before = cpuSeconds(stack);
  const startedAt = performance.now();
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  await Promise.race([during(), running]);
  isOver = true;
  await running;
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = cpuSeconds(stack);
  const handledAfter = await handled(stack);
  const cpu = Object.keys(after).map((part) => {
    const used = (after[part] ?? 0) - (before[part] ?? 0);
    return [part, Math.round((used * 1_000_000) / times.length) / 1_000] as const;
  });
  return {
    name,
    clients,
    perSecond: Math.round(times.length / seconds),
    p50Ms: percentile(times, 0.5),
    p90Ms: percentile(times, 0.9),
    p99Ms: percentile(times, 0.99),
    worstMs: Math.max(...times),
    catalogWithin10Ms:
      (handledAfter.within10Ms - handledBefore.within10Ms) / (handledAfter.all - handledBefore.all),
    cpuMsPerCall: Object.fromEntries(cpu),
  };
}

/** Searches that the catalog has handled. */
async function handled({ internalUrls }: Stack): Promise<{ all: number; within10Ms: number }> {
  const metrics = await Metrics.of(internalUrls.catalog[0] ?? '');
  const labels = { pattern: searchCreators.pattern };
  const name = 'message_handle_duration_seconds';
  return {
    all: metrics.sum(`${name}_count`, labels),
    within10Ms: metrics.sum(`${name}_bucket`, { ...labels, le: '0.01' }),
  };
}

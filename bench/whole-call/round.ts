import { setTimeout as wait } from 'node:timers/promises';
import { type LoadGenerator } from '../overload/load-generator.js';
import { percentile } from '../percentile.js';
import { type Side } from './side.js';
import { usedBetween } from './usage.js';

export interface Order {
  readonly callers: number;
  readonly keys: readonly string[];
  readonly paths: readonly string[];
  readonly seconds: number;
}

export interface Round {
  /** All, whether or not they ended in time. */
  readonly calls: number;
  readonly seconds: number;
  readonly answered: number;
  readonly refused: number;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly walBytes: number;
}

/** For what is done after an answer, such as a settlement. */
const afterwardsMs = 1_000;

/** One side's answers to so many callers. Throws when a call fails. */
export async function playRound(generator: LoadGenerator, side: Side, order: Order): Promise<Round> {
  const { callers, keys, paths, seconds } = order;
  const before = await side.meter.read();
  const group = { name: 'calls', callers, keys, paths, keyFor: 'call' } as const;
  const load = { kind: 'closed', groups: [group] } as const;
  const result = await generator.play({ origin: side.origin, load, settlingSeconds: 0, seconds });
  await wait(afterwardsMs);
  const used = usedBetween(before, await side.meter.read());
  const [own] = result.groups;
  if (!own || Object.keys(own.others).length > 0) {
    throw new Error(`calls to ${side.name} failed: ${JSON.stringify(own?.others)}`);
  }
  return {
    calls: own.calls,
    seconds: result.seconds,
    answered: own.answered,
    refused: own.refused,
    meanMs: own.answeredMeanMs,
    p50Ms: own.answeredP50Ms,
    p99Ms: own.answeredP99Ms,
    ...used,
  };
}

/** Of several rounds together: sums, the mean of all calls, and the median of each round's percentiles. */
export function joined(rounds: readonly Round[]): Round {
  const sum = (of: (round: Round) => number): number => rounds.reduce((total, round) => total + of(round), 0);
  const median = (of: (round: Round) => number): number => percentile(rounds.map(of), 0.5);
  const answered = sum((round) => round.answered);
  const parts = [...new Set(rounds.flatMap(({ cpuMs }) => Object.keys(cpuMs)))];
  return {
    calls: sum(({ calls }) => calls),
    seconds: sum(({ seconds }) => seconds),
    answered,
    refused: sum(({ refused }) => refused),
    meanMs: sum((round) => round.meanMs * round.answered) / Math.max(1, answered),
    p50Ms: median(({ p50Ms }) => p50Ms),
    p99Ms: median(({ p99Ms }) => p99Ms),
    cpuMs: Object.fromEntries(parts.map((part) => [part, sum(({ cpuMs }) => cpuMs[part] ?? 0)])),
    walBytes: sum(({ walBytes }) => walBytes),
  };
}

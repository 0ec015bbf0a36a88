import { percentile } from '../percentile.js';
import { type Played } from './worker.js';

/** What the calls of a round gave and cost. */
export interface Round extends Played {
  /** Of the connections to the ledger's database. */
  readonly postgresCpuMs: number;
  readonly serviceCpuMs: number;
  readonly walRecords: number;
  /** Without page images. */
  readonly walBytes: number;
  readonly pageImageBytes: number;
}

/** Several rounds as one. */
export function joined(rounds: readonly Round[]): Round {
  const sum = (of: (round: Round) => number): number => rounds.reduce((total, round) => total + of(round), 0);
  return {
    latenciesMs: rounds.flatMap(({ latenciesMs }) => latenciesMs),
    seconds: sum(({ seconds }) => seconds),
    postgresCpuMs: sum(({ postgresCpuMs }) => postgresCpuMs),
    serviceCpuMs: sum(({ serviceCpuMs }) => serviceCpuMs),
    walRecords: sum(({ walRecords }) => walRecords),
    walBytes: sum(({ walBytes }) => walBytes),
    pageImageBytes: sum(({ pageImageBytes }) => pageImageBytes),
  };
}

export type Figures = Readonly<Record<string, number>>;

/** By what a table calls them; all but calls/s are those of one call. */
export function figuresOf({ latenciesMs, ...round }: Round): Figures {
  const calls = latenciesMs.length;
  return {
    'calls/s': rounded(calls / round.seconds, 0),
    'mean ms': rounded(latenciesMs.reduce((sum, latency) => sum + latency, 0) / calls, 2),
    'p50 ms': rounded(percentile(latenciesMs, 0.5), 2),
    'p99 ms': rounded(percentile(latenciesMs, 0.99), 2),
    'PostgreSQL CPU ms': rounded(round.postgresCpuMs / calls, 3),
    'service CPU ms': rounded(round.serviceCpuMs / calls, 3),
    'WAL records': rounded(round.walRecords / calls, 1),
    'WAL bytes': rounded(round.walBytes / calls, 0),
    'with page images': rounded((round.walBytes + round.pageImageBytes) / calls, 0),
  };
}

export function ratios(ours: Figures, other: Figures): Figures {
  return Object.fromEntries(
    Object.entries(ours).map(([name, figure]) => [name, rounded(figure / (other[name] ?? Number.NaN), 2)]),
  );
}

function rounded(figure: number, digits: number): number {
  return Number(figure.toFixed(digits));
}

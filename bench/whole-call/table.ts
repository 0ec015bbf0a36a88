import { type Round } from './round.js';

/** The rounds of one side with so many callers, together. */
export interface Row {
  readonly side: string;
  readonly callers: number;
  readonly result: Round;
}

export const heading =
  'callers  side           calls/s  refused   mean ms    p50 ms    p99 ms   CPU ms/call  WAL bytes/call';

export function perSecond({ result }: Row): number {
  return result.answered / result.seconds;
}

/** The row of each side, how they compare, and the CPU time of each part. */
export function linesOf(ours: Row, other: Row): string[] {
  const ratio = (of: (row: Row) => number): string => (of(ours) / of(other)).toFixed(2);
  const ratios = [
    `${ratio(perSecond)} times the calls/s`,
    `${ratio(({ result }) => result.p50Ms)} times the p50`,
    `${ratio(({ result }) => result.p99Ms)} times the p99`,
    `${ratio(cpuPerCall)} times the CPU`,
    `${ratio(walPerCall)} times the WAL`,
  ];
  const parts = [ours, other].map((row) => `${' '.repeat(9)}CPU ms per call of ${row.side}: ${partsOf(row)}`);
  return [lineOf(ours), lineOf(other), `${' '.repeat(9)}${ours.side}: ${ratios.join(', ')}`, ...parts];
}

function lineOf(row: Row): string {
  const { side, callers, result } = row;
  const columns = [
    String(callers).padStart(7),
    ` ${side.padEnd(13)}`,
    perSecond(row).toFixed(0).padStart(8),
    `${((result.refused / Math.max(1, result.calls)) * 100).toFixed(0)} %`.padStart(8),
    result.meanMs.toFixed(2).padStart(9),
    result.p50Ms.toFixed(2).padStart(9),
    result.p99Ms.toFixed(2).padStart(9),
    cpuPerCall(row).toFixed(3).padStart(13),
    walPerCall(row).toFixed(0).padStart(15),
  ];
  return columns.join(' ');
}

function cpuPerCall({ result }: Row): number {
  return Object.values(result.cpuMs).reduce((sum, ms) => sum + ms, 0) / Math.max(1, result.calls);
}

function walPerCall({ result }: Row): number {
  return result.walBytes / Math.max(1, result.calls);
}

function partsOf({ result }: Row): string {
  return Object.entries(result.cpuMs)
    .filter(([, ms]) => ms > 0)
    .map(([part, ms]) => `${part} ${(ms / Math.max(1, result.calls)).toFixed(3)}`)
    .join(', ');
}

import { type GroupResult, type LoadResult } from './load.js';

/** Something that a figure has to reach, and whether it did. */
export interface Target {
  readonly text: string;
  readonly isMet: boolean;
}

/** One line of the table. */
export interface Row {
  readonly load: string;
  readonly answeredPerSecond: number;
  readonly result: GroupResult;
  readonly unsent: number;
  readonly generatorCpu: number;
  /** Of the answers a second that it is compared with. */
  readonly share?: number;
  readonly targets: readonly Target[];
}

interface Judgement {
  readonly share?: number;
  readonly targets?: readonly Target[];
  /** Which group of callers the row is about. */
  readonly group?: number;
}

export function rowOf(load: string, result: LoadResult, judgement: Judgement = {}): Row {
  const { share, targets = [], group = 0 } = judgement;
  const own = result.groups[group];
  if (!own) throw new Error(`there is no group ${group} of callers`);
  const { seconds, unsent, generatorCpu } = result;
  const answeredPerSecond = seconds > 0 ? own.answered / seconds : 0;
  return { load, answeredPerSecond, result: own, unsent, generatorCpu, share, targets };
}

export function atLeast(what: string, figure: number, least: number): Target {
  return { text: `${shown(figure)} ${what} (>= ${least})`, isMet: figure >= least };
}

export function atMost(what: string, figure: number, most: number): Target {
  return { text: `${shown(figure)} ${what} (<= ${most})`, isMet: figure <= most };
}

/** The table's head, and a line per row. */
export const heading =
  `${'load'.padEnd(42)} answers/s     of  refused  answered p50    p99 ms  refused p50    p99 ms  client CPU  targets` +
  ' and others';

export function lineOf({
  load,
  answeredPerSecond,
  share,
  result,
  unsent,
  generatorCpu,
  targets,
}: Row): string {
  const { answered, refused, others } = result;
  const columns = [
    load.padEnd(42),
    // A burst lasts no time that could be measured.
    (answeredPerSecond > 0 ? answeredPerSecond.toFixed(0) : String(answered)).padStart(9),
    (share === undefined ? '' : percent(share)).padStart(7),
    percent(refused / Math.max(1, refused + answered)).padStart(8),
    result.answeredP50Ms.toFixed(1).padStart(13),
    result.answeredP99Ms.toFixed(1).padStart(9),
    (refused === 0 ? '' : result.refusedP50Ms.toFixed(1)).padStart(12),
    (refused === 0 ? '' : result.refusedP99Ms.toFixed(1)).padStart(9),
    percent(generatorCpu).padStart(11),
  ];
  const notes = targets.map(({ text, isMet }) => `${isMet ? 'ok' : 'MISSED'}: ${text}`);
  for (const [outcome, times] of Object.entries(others)) notes.push(`${times} x ${outcome}`);
  if (unsent > 0) notes.push(`${unsent} not sent`);
  return `${columns.join(' ')}  ${notes.join('; ')}`.trimEnd();
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function shown(figure: number): string {
  return String(figure < 10 ? Math.round(figure * 1_000) / 1_000 : Math.round(figure));
}

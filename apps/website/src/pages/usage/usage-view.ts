import { usageRange } from '#http';
import { daysMax, isDay, type CallState, type Operation, operations } from '#contracts';
import { type UsageUnit } from '../../data/account-data.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { fieldProblem, type FormFields } from '../../view/form-fields.js';
import { dayMs, dayOf } from '../../view/dates.js';
import { formatNumber } from '../../view/format.js';

export const ranges = [7, 30, 90] as const;
const rangeDefault = 30;

/** By what the bars are divided. */
export type Grouping = 'key' | 'operation';

/** `YYYY-MM-DD` UTC, both inclusive. */
interface UsageDays {
  readonly from: string;
  readonly to: string;
  /** The last so many days; `null`: the days were chosen one by one. */
  readonly days: number | null;
}

/** How the days are divided, and which of their calls are listed. */
interface UsageFilters {
  readonly by: Grouping;
  readonly unit: UsageUnit;
  /** Of the list of calls. */
  readonly keyId: string | undefined;
  readonly operation: Operation | undefined;
  readonly state: CallState | undefined;
  readonly cursor: string | undefined;
}

/** What the page of usage shows, all of which is in its address. */
export interface UsageView extends UsageDays, UsageFilters {}

/** Throws `invalid_request` with `details` for `from` or `to` if the days are not valid. */
export function readUsageView(parameters: FormFields, keyIds: readonly string[], now: Date): UsageView {
  return { ...readDays(parameters, now), ...readFilters(parameters, keyIds) };
}

/** The same before any days are chosen. */
export function readViewWithoutDays(parameters: FormFields, keyIds: readonly string[]): UsageView {
  return { from: '', to: '', days: null, ...readFilters(parameters, keyIds) };
}

/** Unknown values are ignored. */
function readFilters(parameters: FormFields, keyIds: readonly string[]): UsageFilters {
  const state = (['posted', 'voided'] as const).find((name) => name === parameters.text('state'));
  return {
    by: parameters.text('by') === 'key' ? 'key' : 'operation',
    unit: parameters.text('unit') === 'calls' ? 'calls' : 'credits',
    keyId: keyIds.find((id) => id === parameters.text('key')),
    operation: operations.find((name) => name === parameters.text('operation')),
    state,
    cursor: parameters.text('cursor') || undefined,
  };
}

/** The path of the view with some changes, at the first page of calls. */
export function usagePath(
  view: UsageView,
  change: Partial<UsageView> = {},
  path: string = pagePaths.usage,
): string {
  const { from, to, days, by, unit, keyId, operation, state, cursor } = {
    ...view,
    cursor: undefined,
    ...change,
  };
  return withQuery(path, {
    days: days === null || days === rangeDefault ? undefined : days,
    from: days === null ? from : undefined,
    to: days === null ? to : undefined,
    by: by === 'operation' ? undefined : by,
    unit: unit === 'credits' ? undefined : unit,
    key: keyId,
    operation,
    state,
    cursor,
  });
}

/** Without a first or a last day as in the API: 30 days, up to today. */
function readDays(parameters: FormFields, now: Date): UsageDays {
  const [from, to] = [readDay(parameters, 'from'), readDay(parameters, 'to')];
  if (from === undefined && to === undefined) return lastDaysOf(parameters.text('days'), now);
  const last = to ?? dayOf(now.getTime());
  const count = from === undefined ? rangeDefault : spanOf(from, last);
  if (count < 1) throw fieldProblem('from', 'The first day is after the last.');
  if (count > daysMax) {
    throw fieldProblem('from', `Choose at most ${daysMax} days. You chose ${formatNumber(count)}.`);
  }
  return { ...usageRange(from, to, now), days: null };
}

function readDay(parameters: FormFields, name: 'from' | 'to'): string | undefined {
  const text = parameters.text(name);
  if (text === '') return undefined;
  if (isDay(text)) return text;
  throw fieldProblem(name, 'Enter a date as year-month-day, from 2000 on, for example 2026-03-31.');
}

function lastDaysOf(text: string, now: Date): UsageDays {
  const days = text === '' ? rangeDefault : ranges.find((range) => String(range) === text);
  if (days === undefined) {
    throw fieldProblem('from', `Choose ${ranges.join(', ')} days, or enter a first and a last day.`);
  }
  const first = dayOf(now.getTime() - (days - 1) * dayMs);
  return { ...usageRange(first, undefined, now), days };
}

function spanOf(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1;
}

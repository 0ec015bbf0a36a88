import { type Days, usageRange } from '#http';
import { dayMs, isDay, type CallState, type KeyView, type Operation, operations } from '#contracts';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { fieldProblem, type FormFields } from '../../view/form-fields.js';
import { dayOf } from '../../view/dates.js';

/** By the number of days. */
export const ranges = { 7: '7 days', 30: '30 days', 90: '90 days' };
const rangeDefault = 30;

interface UsageDays extends Days {
  /** The last so many days; `undefined`: the days were chosen one by one. */
  readonly days?: number;
}

/** The state of the usage page, by the names of the parameters in its address. */
export interface UsageView extends UsageDays {
  /** By what the bars are divided. */
  readonly by: 'key' | 'operation';
  /** The id of a key. This and the rest: of the list of calls. */
  readonly key: string | undefined;
  readonly operation: Operation | undefined;
  readonly state: CallState | undefined;
  readonly cursor: string | undefined;
}

/** Throws `invalid_request` with `details` for `from` or `to` if the days are not valid; ignores other unknown values. */
export function readUsageView(parameters: FormFields, keys: readonly KeyView[]): UsageView {
  return { ...readFilters(parameters, keys), ...readDays(parameters, new Date()) };
}

/** Reads the filters, before any days are chosen. */
export function readFilters(parameters: FormFields, keys: readonly KeyView[]): Omit<UsageView, 'days'> {
  return {
    from: '',
    to: '',
    by: parameters.choice('by', ['key', 'operation']) ?? 'operation',
    key: parameters.choice(
      'key',
      keys.map(({ id }) => id),
    ),
    operation: parameters.choice('operation', operations),
    state: parameters.choice('state', ['posted', 'voided']),
    cursor: parameters.text('cursor') || undefined,
  };
}

/** The path of the view with some changes, at the first page of calls. */
export function usagePath(
  view: UsageView,
  change: Partial<UsageView> = {},
  path: string = pagePaths.usage,
): string {
  const { days, from, to, ...filters } = { ...view, cursor: undefined, ...change };
  return withQuery(path, { ...(days === undefined ? { from, to } : { days }), ...filters });
}

/** Without a first or a last day as in the API: the last 30 days, or as many as a tab says. */
function readDays(parameters: FormFields, now: Date): UsageDays {
  const [from, to] = [readDay(parameters, 'from'), readDay(parameters, 'to')];
  if (from !== undefined || to !== undefined) return usageRange(from, to, now);
  const days = Number(parameters.choice('days', Object.keys(ranges)) ?? rangeDefault);
  return { ...usageRange(dayOf(now.getTime() - (days - 1) * dayMs), undefined, now), days };
}

function readDay(parameters: FormFields, name: 'from' | 'to'): string | undefined {
  const text = parameters.text(name);
  if (text === '') return undefined;
  if (isDay(text)) return text;
  throw fieldProblem(name, 'Enter a date as year-month-day, from 2000 on, for example 2026-03-31.');
}

import { isDay, type CallState, type Operation, operations } from '@app/contracts';
import { daysMax, usageRange } from '../../../usage/usage-range.js';
import { type UsageUnit } from '../../data/sum-usage.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { type FormFields } from '../../sessions/form-fields.js';
import { dayMs, dayOf } from '../../view/dates.js';

export const ranges = [7, 30, 90] as const;
export const rangeDefault = 30;

/** By what the bars are divided. */
export type Grouping = 'key' | 'operation';

/** What the page of usage shows: its address says all of it. */
export interface UsageView {
  /** `YYYY-MM-DD` UTC, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** The last so many days; `null`: the days were chosen one by one. */
  readonly days: number | null;
  readonly by: Grouping;
  readonly unit: UsageUnit;
  /** Of the list of calls. */
  readonly keyId: string | undefined;
  readonly operation: Operation | undefined;
  readonly state: CallState | undefined;
  readonly cursor: string | undefined;
}

/** Reads what an address asks for; what makes no sense is as if it was not there. */
export function readUsageView(parameters: FormFields, keyIds: readonly string[], now: Date): UsageView {
  const state = (['posted', 'voided'] as const).find((name) => name === parameters.text('state'));
  return {
    ...readDays(parameters, now),
    by: parameters.text('by') === 'key' ? 'key' : 'operation',
    unit: parameters.text('unit') === 'calls' ? 'calls' : 'credits',
    keyId: keyIds.find((id) => id === parameters.text('key')),
    operation: operations.find((name) => name === parameters.text('operation')),
    state,
    cursor: parameters.text('cursor') || undefined,
  };
}

/** The same view with some of it changed; the list of calls begins anew. */
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

function readDays(parameters: FormFields, now: Date): Pick<UsageView, 'from' | 'to' | 'days'> {
  const [from, to] = [parameters.text('from'), parameters.text('to')];
  if (isDay(from) && isDay(to) && from <= to && spanOf(from, to) <= daysMax) return { from, to, days: null };
  const days = ranges.find((range) => String(range) === parameters.text('days')) ?? rangeDefault;
  const first = dayOf(now.getTime() - (days - 1) * dayMs);
  return { ...usageRange(first, undefined, now), days };
}

function spanOf(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1;
}

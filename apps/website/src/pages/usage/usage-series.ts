import { type KeyView, type Operation, operations, type UsageRow } from '#contracts';
import { type Series, seriesMax } from '../../components/bar-chart.js';
import { sumUsage, usageByDay, type UsageUnit } from '../../data/account-data.js';
import { formatDay } from '../../view/dates.js';

/** More days than this are summed by week. */
const barsMax = 92;
const weekDays = 7;

export const operationsNames: Readonly<Record<Operation, string>> = {
  search: 'Searches',
  profile: 'Profiles',
  profiles: 'Profiles in batches',
};

/** Rows that a chart shows as one series. */
interface Group {
  readonly name: string;
  readonly rows: readonly UsageRow[];
}

/** Usage divided by operation. */
export function byOperation(rows: readonly UsageRow[]): Group[] {
  return operations.map((operation) => ({
    name: operationsNames[operation],
    rows: rows.filter((row) => row.operation === operation),
  }));
}

/** Usage divided by key, most credits first. */
export function byKey(rows: readonly UsageRow[], keys: readonly KeyView[]): Group[] {
  const known = keys
    .map(({ id, name }) => ({ name, rows: rows.filter(({ key_id }) => key_id === id) }))
    .filter((key) => key.rows.length > 0)
    .sort((one, other) => sumUsage(other.rows, 'credits') - sumUsage(one.rows, 'credits'))
    .slice(0, seriesMax - 1);
  const deleted = rows.filter(({ key_id }) => !keys.some(({ id }) => id === key_id));
  return deleted.length === 0 ? known : [...known, { name: 'Deleted keys', rows: deleted }];
}

/** The figures of each group for these days. */
export function seriesOf(groups: readonly Group[], days: readonly string[], unit: UsageUnit): Series[] {
  return groups.map(({ name, rows }) => ({ name, values: usageByDay(rows, days, unit) }));
}

/** The bars of a chart: one per day, or per week if there would be too many, named by its first day. */
export function barsOf(
  days: readonly string[],
  series: readonly Series[],
): { bars: string[]; series: readonly Series[] } {
  if (days.length <= barsMax) return { bars: days.map(formatDay), series };
  const starts = days.filter((_, index) => index % weekDays === 0);
  const ofWeek = (values: readonly number[], week: number): number =>
    values.slice(week * weekDays, (week + 1) * weekDays).reduce((sum, value) => sum + value, 0);
  return {
    bars: starts.map(formatDay),
    series: series.map(({ name, values }) => ({
      name,
      values: starts.map((_, week) => ofWeek(values, week)),
    })),
  };
}

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

/** Usage divided by operation. */
export function seriesByOperation(
  rows: readonly UsageRow[],
  days: readonly string[],
  unit: UsageUnit,
): Series[] {
  return operations.map((operation) => {
    const ofOperation = rows.filter((row) => row.operation === operation);
    return { name: operationsNames[operation], values: usageByDay(ofOperation, days, unit) };
  });
}

/** Usage divided by key, most first. */
export function seriesByKey(
  rows: readonly UsageRow[],
  keys: readonly KeyView[],
  days: readonly string[],
  unit: UsageUnit,
): Series[] {
  const known = keys
    .map(({ id, name }) => ({ name, rows: rows.filter(({ key_id }) => key_id === id) }))
    .filter((key) => key.rows.length > 0)
    .sort((one, other) => sumUsage(other.rows, unit) - sumUsage(one.rows, unit))
    .slice(0, seriesMax - 1);
  const deleted = rows.filter(({ key_id }) => !keys.some(({ id }) => id === key_id));
  const groups = deleted.length === 0 ? known : [...known, { name: 'Deleted keys', rows: deleted }];
  return groups.map((group) => ({ name: group.name, values: usageByDay(group.rows, days, unit) }));
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

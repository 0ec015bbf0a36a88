import { type UsageRow } from '@app/contracts';

export type UsageUnit = 'calls' | 'credits';

/** The sum of all rows. */
export function sumUsage(rows: readonly UsageRow[], unit: UsageUnit): number {
  return rows.reduce((sum, row) => sum + row[unit], 0);
}

/** One sum for each of the days, in their order. */
export function usageByDay(
  rows: readonly UsageRow[],
  days: readonly string[],
  unit: UsageUnit,
): readonly number[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(row.day, (sums.get(row.day) ?? 0) + row[unit]);
  return days.map((day) => sums.get(day) ?? 0);
}

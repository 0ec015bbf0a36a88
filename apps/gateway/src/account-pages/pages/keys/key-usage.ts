import { type KeyView, type UsageRow } from '@app/contracts';
import { usageByDay } from '../../data/sum-usage.js';

/** A key with the calls of each day. */
export interface KeyWithUsage {
  readonly key: KeyView;
  readonly callsByDay: readonly number[];
}

/** Keys, those used last first, then by age. */
export function withUsage(
  keys: readonly KeyView[],
  usage: readonly UsageRow[],
  days: readonly string[],
): KeyWithUsage[] {
  return [...keys]
    .sort((one, other) => (other.last_used_at ?? '').localeCompare(one.last_used_at ?? ''))
    .map((key) => ({
      key,
      callsByDay: usageByDay(
        usage.filter(({ key_id }) => key_id === key.id),
        days,
        'calls',
      ),
    }));
}

import { type BalanceReply } from '@app/contracts';
import { type Forecast } from '../../data/forecast.js';
import { formatDay } from '../../view/dates.js';
import { formatCount } from '../../view/format.js';

/** `2,431 credits, about 19 days at your pace`; until they expire when the pace is not known or too slow to spend them. */
export function balanceAnswer(
  { credits_remaining: left, lots }: BalanceReply,
  future: Forecast | null,
): string {
  if (left === 0) return lots.length === 0 ? 'No credits yet' : 'No credits left';
  const credits = formatCount(left, 'credit');
  if (future?.isSpent) return `${credits}, ${timeOf(future.days)} at your pace`;
  const last = lots.filter(({ remaining }) => remaining > 0).at(-1);
  return last ? `${credits}, until ${formatDay(last.expires_at)}` : credits;
}

function timeOf(days: number): string {
  return days < 1 ? 'less than a day' : `about ${formatCount(Math.round(days), 'day')}`;
}

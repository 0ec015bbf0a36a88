import { type UnexpiredLot } from '@app/contracts';
import { ShareBar } from '../../components/charts/share-bar.js';
import { Card } from '../../components/display/card.js';
import { Empty } from '../../components/display/empty.js';
import { Moment } from '../../components/display/moment.js';
import { pagePaths } from '../../paths/page-paths.js';
import { calendarDaysUntil, formatRelative } from '../../view/dates.js';
import { formatCount, formatNumber } from '../../view/format.js';
import { lotNames } from '../../view/lot-names.js';

interface LotsProps {
  /** In the order in which they are spent. */
  readonly lots: readonly UnexpiredLot[];
  /** Credits that will expire at the present pace. */
  readonly unused: number;
  readonly now: number;
}

/** What the balance consists of, and until when. */
export function Lots({ lots, unused, now }: LotsProps) {
  const left = lots.filter(({ remaining }) => remaining > 0);
  return (
    <Card title="Credits">
      {left.length === 0 ? (
        <Empty>
          Credits are used within 30 days of their purchase, oldest first.{' '}
          <a href={pagePaths.buy}>Buy credits</a>
        </Empty>
      ) : (
        <ul class="lots">
          {left.map((lot, index) => (
            <li key={index}>
              <div class="lot-line">
                <strong>{lotNames[lot.pack]}</strong>
                <span>
                  {formatNumber(lot.remaining)} of {formatNumber(lot.credits)} left
                </span>
                <span class="lot-expiry">
                  expires <Moment at={lot.expires_at} as="date" />
                  {daysUntil(lot.expires_at, now)}
                </span>
              </div>
              <ShareBar
                label={`${lot.remaining} of ${lot.credits} credits left`}
                share={lot.remaining / lot.credits}
              />
            </li>
          ))}
        </ul>
      )}
      {unused > 0 && (
        <p class="hint">
          At your pace, about {formatCount(unused, 'credit')} will expire before you use them.
        </p>
      )}
    </Card>
  );
}

/** Below a day the date itself says it. */
function daysUntil(at: string, now: number): string {
  return formatRelative(at, now) === null ? `, in ${formatCount(calendarDaysUntil(at, now), 'day')}` : '';
}

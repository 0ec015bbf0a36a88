import { type Balance, type CallRecord, type KeyView, type Lot, type UsageRow } from '#contracts';
import { BarChart } from '../../components/bar-chart.js';
import { CallTable } from '../../components/calls.js';
import { Copyable, firstCall, LinkButton } from '../../components/controls.js';
import { Card, Empty, Moment, PageTitle } from '../../components/display.js';
import { sumUsage } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { calendarDaysUntil, formatDay, formatRelative } from '../../view/dates.js';
import { formatCount, formatNumber, lotNames } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { seriesByOperation } from '../usage/usage-series.js';
import { type Forecast, forecast, pacePerDay } from './forecast.js';

interface OverviewProps {
  readonly balance: Balance;
  readonly usage: readonly UsageRow[];
  /** `YYYY-MM-DD`: those of `usage`. */
  readonly days: readonly string[];
  readonly calls: readonly CallRecord[];
  readonly keys: readonly KeyView[];
  readonly now: number;
  /** Where the API is. */
  readonly origin: string;
}

/** The balance, how long it lasts, and the latest calls. */
export function overviewPage(props: OverviewProps): PageView {
  const { balance, usage, days, calls, now } = props;
  const future = forecast(balance.lots, pacePerDay(usage, now), now);
  const isNew = calls.length === 0;
  return {
    title: 'Overview',
    section: 'overview',
    body: (
      <>
        <PageTitle
          title="Overview"
          answer={balanceAnswer(balance, future)}
          action={
            <LinkButton
              href={pagePaths.buy}
              kind={isNew && balance.credits_remaining > 0 ? 'plain' : 'primary'}
            >
              Buy credits
            </LinkButton>
          }
        />
        {isNew && <QuickStart {...props} />}
        <Lots lots={balance.lots} unused={future?.unused ?? 0} now={now} />
        <Card title="Calls in the last 14 days" aside={<a href={pagePaths.usage}>Usage</a>}>
          <CallChart usage={usage} days={days} />
        </Card>
        <Card title="Latest calls" aside={<a href={`${pagePaths.usage}#calls`}>All calls</a>}>
          {isNew ? (
            <Empty>Each call will appear here with its cost and the reason. Failed calls cost nothing.</Empty>
          ) : (
            <CallTable caption="Latest calls" calls={calls} />
          )}
        </Card>
      </>
    ),
  };
}

/** `2,431 credits, about 19 days at your pace`; or when they expire, if the pace is unknown or too slow to spend them. */
function balanceAnswer({ credits_remaining: left, lots }: Balance, future: Forecast | null): string {
  if (left === 0) return lots.length === 0 ? 'No credits yet' : 'No credits left';
  const credits = formatCount(left, 'credit');
  if (future?.isSpent) {
    const days = Math.round(future.days);
    return `${credits}, ${future.days < 1 ? 'less than a day' : `about ${formatCount(days, 'day')}`} at your pace`;
  }
  const last = lots.filter(({ remaining }) => remaining > 0).at(-1);
  return last ? `${credits}, until ${formatDay(last.expires_at)}` : credits;
}

/** Shows how to make the first call. */
function QuickStart({ keys, origin, balance }: OverviewProps) {
  const hasCredits = balance.credits_remaining > 0;
  const key = keys.find(({ active }) => active);
  return (
    <Card title="Make your first call">
      {key ? (
        <>
          <p>
            Replace <code>{key.prefix}...</code> with your key <strong>{key.name}</strong> and run this
            command. It returns three creators and costs 1 credit.
          </p>
          <Copyable id="first-call" what="command" text={firstCall(origin, `${key.prefix}...`)} />
        </>
      ) : (
        <>
          <p>
            {hasCredits ? 'You need an API key.' : 'You need credits and an API key.'} The key is shown once,
            with a command that is ready to run.
          </p>
          <LinkButton kind={hasCredits ? 'primary' : 'plain'} href={pagePaths.keys}>
            Create a key
          </LinkButton>
        </>
      )}
    </Card>
  );
}

interface LotsProps {
  /** In the order in which they are spent. */
  readonly lots: readonly Lot[];
  /** Credits that will expire at the present pace. */
  readonly unused: number;
  readonly now: number;
}

/** The packs that the balance consists of, and when they expire. */
function Lots({ lots, unused, now }: LotsProps) {
  const left = lots.filter(({ remaining }) => remaining > 0);
  return (
    <Card title="Credits">
      {left.length === 0 ? (
        <Empty>
          Credits are valid for 30 days. The oldest are used first. <a href={pagePaths.buy}>Buy credits</a>
        </Empty>
      ) : (
        <ul class="lots">
          {left.map((lot, index) => (
            <LotRow key={index} lot={lot} now={now} />
          ))}
        </ul>
      )}
      {unused > 0 && (
        <p class="hint">At your pace, about {formatCount(unused, 'credit')} will expire unused.</p>
      )}
    </Card>
  );
}

function LotRow({ lot, now }: { readonly lot: Lot; readonly now: number }) {
  const { pack, remaining, credits, expires_at: expiresAt } = lot;
  const days = formatCount(calendarDaysUntil(expiresAt, now), 'day');
  const share = remaining / credits;
  return (
    <li>
      <div class="lot-line">
        <strong>{lotNames[pack]}</strong>
        <span>
          {formatNumber(remaining)} of {formatNumber(credits)} left
        </span>
        <span class="lot-expiry">
          expires <Moment at={expiresAt} as="date" />
          {/* Below a day the date itself says it. */}
          {formatRelative(expiresAt, now) === null && `, in ${days}`}
        </span>
      </div>
      <svg
        class="share-bar"
        width="100%"
        height="8"
        role="img"
        aria-label={`${remaining} of ${credits} credits left`}
      >
        <rect class="whole" width="100%" height="8" rx="4" />
        {share > 0 && <rect class="part" width={`${Math.max(1, share * 100)}%`} height="8" rx="4" />}
      </svg>
    </li>
  );
}

function CallChart({ usage, days }: Pick<OverviewProps, 'usage' | 'days'>) {
  const total = sumUsage(usage, 'calls');
  if (total === 0) return <Empty>No calls in the last 14 days.</Empty>;
  const label = `${formatCount(total, 'call')} in 14 days, by operation`;
  return (
    <BarChart
      id="calls"
      label={label}
      bars={days.map(formatDay)}
      series={seriesByOperation(usage, days, 'calls')}
    />
  );
}

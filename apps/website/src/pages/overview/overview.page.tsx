import { type Balance, type CallRecord, dayMs, type KeyView, type Lot, type UsageRow } from '#contracts';
import { BarChart } from '../../components/bar-chart.js';
import { callColumns } from '../../components/calls.js';
import { FirstCall } from '../../components/controls.js';
import { Card, Empty, Moment } from '../../components/display.js';
import { DataTable } from '../../components/table.js';
import { sumUsage } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatDay } from '../../view/dates.js';
import { formatCount, formatNumber, lotNames } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { byOperation, seriesOf } from '../usage/usage-series.js';

interface OverviewProps {
  readonly balance: Balance;
  readonly usage: readonly UsageRow[];
  /** `YYYY-MM-DD`: those of `usage`. */
  readonly days: readonly string[];
  readonly calls: readonly CallRecord[];
  readonly keys: readonly KeyView[];
}

/** The balance, how long it lasts, and the latest calls. */
export function overviewPage(props: OverviewProps): PageView {
  const { usage, days, calls } = props;
  const lots = props.balance.lots.filter(({ remaining }) => remaining > 0);
  const callCount = sumUsage(usage, 'calls');
  return {
    title: 'Overview',
    section: 'overview',
    answer: balanceAnswer(props, lots),
    body: (
      <>
        {calls.length === 0 && <QuickStart keys={props.keys} />}
        <Card title="Credits" aside={<a href={pagePaths.buy}>Buy more</a>}>
          {lots.length === 0 && <Empty>Credits are valid for 30 days. The oldest are used first.</Empty>}
          {lots.map(({ pack, remaining, credits, expires_at: expiresAt }, index) => (
            <p key={index}>
              <progress value={remaining} max={credits} aria-label={`Credits left of ${lotNames[pack]}`} />{' '}
              <strong>{lotNames[pack]}</strong>: {formatNumber(remaining)} of {formatNumber(credits)} left,
              until <Moment at={expiresAt} as="date" />
            </p>
          ))}
        </Card>
        <Card title="Calls in the last 14 days" aside={<a href={pagePaths.usage}>Usage</a>}>
          {callCount === 0 ? (
            <Empty>No calls in the last 14 days.</Empty>
          ) : (
            <BarChart
              label={`${formatCount(callCount, 'call')} in 14 days, by operation`}
              bars={days.map(formatDay)}
              series={seriesOf(byOperation(usage), days, 'calls')}
            />
          )}
        </Card>
        <Card title="Latest calls" aside={<a href={`${pagePaths.usage}#calls`}>All calls</a>}>
          <DataTable
            caption="Latest calls"
            columns={callColumns}
            rows={calls}
            empty="Each call will appear here with its cost and the reason. Failed calls cost nothing."
          />
        </Card>
      </>
    ),
  };
}

/** `2,431 credits, about 19 days at your pace` of the shown days; or until when, if they expire before they are spent. */
function balanceAnswer({ balance, usage, days }: OverviewProps, lots: readonly Lot[]): string {
  const { credits_remaining: left } = balance;
  const last = lots.at(-1);
  if (!last) return balance.lots.length === 0 ? 'No credits yet' : 'No credits left';
  const credits = formatCount(left, 'credit');
  const daysLeft = Math.round((left * days.length) / sumUsage(usage, 'credits'));
  const isSpent = Date.now() + daysLeft * dayMs < Date.parse(last.expires_at);
  return isSpent
    ? `${credits}, about ${formatCount(daysLeft, 'day')} at your pace`
    : `${credits}, until ${formatDay(last.expires_at)}`;
}

/** Shows how to make the first call. */
function QuickStart({ keys }: Pick<OverviewProps, 'keys'>) {
  const prefix = keys.find(({ active }) => active)?.prefix ?? 'csk_';
  return (
    <Card title="Make your first call" aside={<a href={pagePaths.keys}>Create a key</a>}>
      <p>
        Replace <code>{prefix}...</code> with your API key and run this command. It returns three creators and
        costs 1 credit, or nothing with a test key. A new key is shown once, with the command ready to run.
      </p>
      <FirstCall apiKey={`${prefix}...`} />
    </Card>
  );
}

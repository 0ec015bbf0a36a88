import { type BalanceReply, type CallView, type KeyView, type UsageRow } from '@app/contracts';
import { CallTable } from '../../components/calls/call-table.js';
import { BarChart } from '../../components/charts/bar-chart.js';
import { LinkButton } from '../../components/controls/button.js';
import { Card } from '../../components/display/card.js';
import { Empty } from '../../components/display/empty.js';
import { PageTitle } from '../../components/display/page-title.js';
import { forecast, pacePerDay } from '../../data/forecast.js';
import { sumUsage, usageByDay } from '../../data/sum-usage.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatDay } from '../../view/dates.js';
import { formatCount } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { balanceAnswer } from './balance-answer.js';
import { Lots } from './lots.js';
import { QuickStart } from './quick-start.js';

export interface OverviewProps {
  readonly balance: BalanceReply;
  readonly usage: readonly UsageRow[];
  /** `YYYY-MM-DD`: those of `usage`. */
  readonly days: readonly string[];
  readonly calls: readonly CallView[];
  readonly keys: readonly KeyView[];
  readonly now: number;
  /** Where the API is. */
  readonly origin: string;
}

/** What is left, how long it lasts, and what was called lately. */
export function overviewPage(props: OverviewProps): PageView {
  const { balance, usage, days, calls, keys, now, origin } = props;
  const future = forecast(balance.lots, pacePerDay(usage, now), now);
  const isNew = calls.length === 0;
  const hasCredits = balance.credits_remaining > 0;
  return {
    title: 'Overview',
    section: 'overview',
    body: (
      <>
        <PageTitle
          title="Overview"
          answer={balanceAnswer(balance, future)}
          action={
            <LinkButton href={pagePaths.buy} kind={isNew && hasCredits ? 'plain' : 'primary'}>
              Buy credits
            </LinkButton>
          }
        />
        {isNew && <QuickStart keys={keys} origin={origin} hasCredits={hasCredits} />}
        <Lots lots={balance.lots} unused={future?.unused ?? 0} now={now} />
        <Card title="Calls in the last 14 days" aside={<a href={pagePaths.usage}>Usage</a>}>
          <CallChart usage={usage} days={days} />
        </Card>
        <Card title="Last calls" aside={<a href={`${pagePaths.usage}#calls`}>All calls</a>}>
          {isNew ? (
            <Empty>Each call will be here with what it cost and why. Calls that fail cost nothing.</Empty>
          ) : (
            <CallTable caption="Last calls" calls={calls} />
          )}
        </Card>
      </>
    ),
  };
}

function CallChart({ usage, days }: Pick<OverviewProps, 'usage' | 'days'>) {
  const total = sumUsage(usage, 'calls');
  if (total === 0) return <Empty>No calls in these 14 days. A bar for each day will be here.</Empty>;
  const ofOperation = (operation: string) => usage.filter((row) => row.operation === operation);
  return (
    <BarChart
      id="calls"
      label={`${formatCount(total, 'call')} in 14 days, by operation`}
      bars={days.map(formatDay)}
      series={[
        { name: 'searches', values: usageByDay(ofOperation('search'), days, 'calls') },
        { name: 'profiles', values: usageByDay(ofOperation('profile'), days, 'calls') },
      ]}
    />
  );
}

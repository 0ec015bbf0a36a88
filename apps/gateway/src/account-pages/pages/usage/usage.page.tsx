import { BarChart } from '../../components/charts/bar-chart.js';
import { Card } from '../../components/display/card.js';
import { Empty } from '../../components/display/empty.js';
import { PageTitle } from '../../components/display/page-title.js';
import { sumUsage } from '../../data/sum-usage.js';
import { pagePaths } from '../../paths/page-paths.js';
import { daysBetween, formatDate, formatDay } from '../../view/dates.js';
import { formatCount } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { CallsCard } from './calls-card.js';
import { RangePicker } from './range-picker.js';
import { type UsageProps } from './usage-props.js';
import { barsOf, seriesOf } from './usage-series.js';
import { UsageTable } from './usage-table.js';
import { usagePath, type UsageView } from './usage-view.js';

/** What was used, day by day, and what each call cost. */
export function usagePage(props: UsageProps): PageView {
  const { view, usage } = props;
  const calls = formatCount(sumUsage(usage, 'calls'), 'call');
  const credits = formatCount(sumUsage(usage, 'credits'), 'credit');
  const when =
    view.days === null
      ? `from ${isWithinYear(view) ? formatDay(view.from) : formatDate(view.from)} to ${formatDate(view.to)}`
      : `in the last ${view.days} days`;
  return {
    title: 'Usage',
    section: 'usage',
    body: (
      <>
        <PageTitle title="Usage" answer={`${calls}, ${credits} ${when}`} />
        <RangePicker view={view} />
        <UsageCard {...props} />
        <CallsCard {...props} />
      </>
    ),
  };
}

/** The same without any figures: the days that were asked for make no sense. */
export function usageWithoutDaysPage(view: UsageView): PageView {
  return {
    title: 'Usage',
    section: 'usage',
    body: (
      <>
        <PageTitle title="Usage" answer="Choose the days to show" />
        <RangePicker view={view} />
      </>
    ),
  };
}

function isWithinYear({ from, to }: UsageView): boolean {
  return from.slice(0, 4) === to.slice(0, 4);
}

function UsageCard({ view, usage, keys }: UsageProps) {
  const days = daysBetween(view.from, view.to);
  const series = seriesOf(usage, keys, days, view.by, view.unit);
  const chart = barsOf(days, series);
  const words = view.unit === 'calls' ? 'Calls' : 'Credits';
  const title = `${words} ${days.length === chart.bars.length ? 'per day' : 'per week'}, by ${view.by}`;
  return (
    <Card title={title} aside={<a href={usagePath(view, {}, `${pagePaths.usage}.csv`)}>Download CSV</a>}>
      {usage.length === 0 ? (
        <Empty>No calls in these days. Calls that failed cost nothing and are not counted.</Empty>
      ) : (
        <>
          {sumUsage(usage, view.unit) === 0 ? (
            <Empty>All calls of these days were free.</Empty>
          ) : (
            <BarChart id="usage" label={title} bars={chart.bars} marks={chart.marks} series={chart.series} />
          )}
          <UsageTable days={days} series={series} usage={usage} unit={view.unit} />
        </>
      )}
    </Card>
  );
}

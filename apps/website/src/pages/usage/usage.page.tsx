import { type CallRecord, type KeyView, type Page, type UsageRow } from '#contracts';
import { BarChart, type Series } from '../../components/bar-chart.js';
import { callColumns } from '../../components/calls.js';
import { Button, Tabs } from '../../components/controls.js';
import { Card, Empty } from '../../components/display.js';
import { Field, Form, Select } from '../../components/form.js';
import { type Column, DataTable, Paging } from '../../components/table.js';
import { sumUsage, usageByDay } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { daysBetween, formatDate } from '../../view/dates.js';
import { formatCount, formatNumber } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { barsOf, byKey, byOperation, operationsNames, seriesOf } from './usage-series.js';
import { ranges, usagePath, type UsageView } from './usage-view.js';

interface UsageProps {
  readonly view: UsageView;
  readonly usage: readonly UsageRow[];
  readonly keys: readonly KeyView[];
  readonly calls: Page<CallRecord>;
}

/** Usage by day, and the cost of each call. */
export function usagePage(props: UsageProps): PageView {
  const { view, usage, keys } = props;
  const calls = formatCount(sumUsage(usage, 'calls'), 'call');
  const credits = formatCount(sumUsage(usage, 'credits'), 'credit');
  const when =
    view.days === undefined
      ? `from ${formatDate(view.from)} to ${formatDate(view.to)}`
      : `in the last ${view.days} days`;
  const page = usageWithoutDaysPage(view, keys);
  return {
    ...page,
    answer: `${calls}, ${credits} ${when}`,
    body: (
      <>
        {page.body}
        <UsageCard {...props} />
        <CallsCard {...props} />
      </>
    ),
  };
}

/** Page without figures, for days that are not valid: it shows which days and calls were asked for. */
export function usageWithoutDaysPage(view: UsageView, keys: readonly KeyView[]): PageView {
  const { key, operation, state, from, to, by } = view;
  const groupings = { operation: 'Operation', key: 'Key' };
  const keyNames = { '': 'All keys', ...Object.fromEntries(keys.map(({ id, name }) => [id, name])) };
  const operations = { '': 'All operations', ...operationsNames };
  const outcomes = { '': 'All', posted: 'Answered', voided: 'Failed' };
  return {
    title: 'Usage',
    section: 'usage',
    answer: 'Choose the days to show',
    body: (
      <>
        <Tabs
          label="Days"
          names={ranges}
          current={String(view.days)}
          pathOf={(days) => usagePath(view, { days: Number(days) })}
        />
        <Form method="get" class="line-form" action={pagePaths.usage}>
          <Field id="from" name="from" label="From" input={{ type: 'date', value: from }} />
          <Field id="to" name="to" label="To" input={{ type: 'date', value: to }} />
          <Select id="by" name="by" label="Credits by" value={by} options={groupings} />
          <Select id="key" name="key" label="Calls of" value={key} options={keyNames} />
          <Select id="operation" name="operation" label="Operation" value={operation} options={operations} />
          <Select id="state" name="state" label="Outcome" value={state} options={outcomes} />
          <Button>Apply</Button>
        </Form>
      </>
    ),
  };
}

function UsageCard({ view, usage, keys }: UsageProps) {
  const days = daysBetween(view.from, view.to);
  const credits = sumUsage(usage, 'credits');
  const groups = view.by === 'key' ? byKey(usage, keys) : byOperation(usage);
  const series = seriesOf(groups, days, 'credits');
  const chart = barsOf(days, series);
  const title = `Credits ${days.length === chart.bars.length ? 'per day' : 'per week'}, by ${view.by}`;
  return (
    <Card title={title} aside={<a href={usagePath(view, {}, `${pagePaths.usage}.csv`)}>Download CSV</a>}>
      {usage.length === 0 && (
        <Empty>No calls on these days. Failed calls cost nothing and are not counted.</Empty>
      )}
      {usage.length > 0 && credits === 0 && <Empty>All calls on these days were free.</Empty>}
      {credits > 0 && <BarChart label={title} {...chart} />}
      {usage.length > 0 && usageTable(days, series, usage)}
    </Card>
  );
}

/** The figures of the chart, newest first. Days without a call are left out. */
function usageTable(days: readonly string[], series: readonly Series[], usage: readonly UsageRow[]) {
  const calls = usageByDay(usage, days, 'calls');
  const figures = [
    ...series.map(({ name, values }) => ({ name: `Credits for ${name}`, values })),
    { name: 'Calls', values: calls },
    { name: 'Credits', values: usageByDay(usage, days, 'credits') },
  ];
  const columns: Column<number>[] = [
    { title: 'Day', cell: (index) => formatDate(days[index] ?? '') },
    ...figures.map(({ name, values }) => ({
      title: name,
      class: 'number' as const,
      cell: (index: number) => formatNumber(values[index] ?? 0),
    })),
  ];
  const rows = [...days.keys()].filter((index) => (calls[index] ?? 0) > 0).reverse();
  return (
    <details>
      <summary>View as table</summary>
      <DataTable caption="Usage by day" columns={columns} rows={rows} />
    </details>
  );
}

/** Every call on these days, with its price and the reason for it. */
function CallsCard({ view, calls: { items: calls, next_cursor: nextCursor } }: UsageProps) {
  return (
    <Card
      title="Calls"
      id="calls"
      aside={<a href={usagePath(view, {}, `${pagePaths.calls}.csv`)}>Download CSV</a>}
    >
      <DataTable caption="Calls" columns={callColumns} rows={calls} empty="No matching calls." />
      <Paging
        cursor={view.cursor}
        next={nextCursor}
        pathOf={(cursor) => `${usagePath(view, { cursor })}#calls`}
      />
    </Card>
  );
}

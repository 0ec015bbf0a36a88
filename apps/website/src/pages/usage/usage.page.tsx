import { type CallRecord, type KeyView, type Page, type UsageRow } from '#contracts';
import { BarChart, type Series } from '../../components/bar-chart.js';
import { CallTable } from '../../components/calls.js';
import { Button } from '../../components/controls.js';
import { Card, Empty, PageTitle } from '../../components/display.js';
import { Field, Form, Select } from '../../components/form.js';
import { Choices, type Column, DataTable, Paging } from '../../components/table.js';
import { sumUsage, usageByDay, type UsageUnit } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { daysBetween, formatDate, formatDay } from '../../view/dates.js';
import { formatCount, formatNumber } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { barsOf, seriesByKey, seriesByOperation } from './usage-series.js';
import { ranges, usagePath, type UsageView } from './usage-view.js';

interface UsageProps {
  readonly view: UsageView;
  readonly usage: readonly UsageRow[];
  readonly keys: readonly KeyView[];
  readonly calls: Page<CallRecord>;
}

/** What was used, day by day, and what each call cost. */
export function usagePage(props: UsageProps): PageView {
  const { view, usage } = props;
  const calls = formatCount(sumUsage(usage, 'calls'), 'call');
  const credits = formatCount(sumUsage(usage, 'credits'), 'credit');
  const format = view.from.slice(0, 4) === view.to.slice(0, 4) ? formatDay : formatDate;
  const when =
    view.days === null
      ? `from ${format(view.from)} to ${formatDate(view.to)}`
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

/** The same without figures, for days that are not valid. */
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

/** Which days, and how they are divided. */
function RangePicker({ view }: Pick<UsageProps, 'view'>) {
  const { keyId: key, operation, state, from, to, unit, by } = view;
  const units = { credits: 'Credits', calls: 'Calls' };
  const groupings = { operation: 'Operation', key: 'Key' };
  const choices = ranges.map((days) => ({
    name: `${days} days`,
    path: usagePath(view, { days }),
    isChosen: view.days === days,
  }));
  return (
    <div class="range-picker">
      <Choices label="Days" choices={choices} />
      <Form method="get" class="line-form" action={pagePaths.usage} hidden={{ key, operation, state }}>
        <Field id="from" name="from" label="From" input={{ type: 'date', value: from }} />
        <Field id="to" name="to" label="To" input={{ type: 'date', value: to }} />
        <Select id="unit" name="unit" label="Show" value={unit} options={units} />
        <Select id="by" name="by" label="By" value={by} options={groupings} />
        <Button>Apply</Button>
      </Form>
    </div>
  );
}

function UsageCard({ view, usage, keys }: UsageProps) {
  const days = daysBetween(view.from, view.to);
  const series =
    view.by === 'key' ? seriesByKey(usage, keys, days, view.unit) : seriesByOperation(usage, days, view.unit);
  const chart = barsOf(days, series);
  const words = view.unit === 'calls' ? 'Calls' : 'Credits';
  const title = `${words} ${days.length === chart.bars.length ? 'per day' : 'per week'}, by ${view.by}`;
  return (
    <Card title={title} aside={<a href={usagePath(view, {}, `${pagePaths.usage}.csv`)}>Download CSV</a>}>
      {usage.length === 0 ? (
        <Empty>No calls on these days. Failed calls cost nothing and are not counted.</Empty>
      ) : (
        <>
          {sumUsage(usage, view.unit) === 0 ? (
            <Empty>All calls on these days were free.</Empty>
          ) : (
            <BarChart id="usage" label={title} {...chart} />
          )}
          <UsageTable days={days} series={series} usage={usage} unit={view.unit} />
        </>
      )}
    </Card>
  );
}

interface UsageTableProps {
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly usage: readonly UsageRow[];
  /** Of the series. */
  readonly unit: UsageUnit;
}

/** The figures of the chart, newest first. Days without a call are left out. */
function UsageTable({ days, series, usage, unit }: UsageTableProps) {
  const calls = usageByDay(usage, days, 'calls');
  const figure = (title: string, values: readonly number[]): Column<number> => ({
    title,
    isNumber: true,
    cell: (index) => formatNumber(values[index] ?? 0),
  });
  const columns = [
    { title: 'Day', isHead: true, cell: (index: number) => formatDate(days[index] ?? '') },
    ...series.map(({ name, values }) => figure(`${name} (${unit})`, values)),
    figure('Calls', calls),
    figure('Credits', usageByDay(usage, days, 'credits')),
  ];
  const rows = [...days.keys()].filter((index) => (calls[index] ?? 0) > 0).reverse();
  return (
    <details class="figures">
      <summary>View as table</summary>
      <DataTable caption="Usage by day" columns={columns} rows={rows} />
    </details>
  );
}

/** Every call on these days, with its price and the reason for it. */
function CallsCard({ view, keys, calls: { items: calls, next_cursor: nextCursor } }: UsageProps) {
  const isFirst = view.cursor === undefined;
  return (
    <Card
      title="Calls"
      id="calls"
      aside={<a href={usagePath(view, {}, `${pagePaths.calls}.csv`)}>Download CSV</a>}
    >
      <CallFilter view={view} keys={keys} />
      {calls.length === 0 ? <Empty>No matching calls.</Empty> : <CallTable caption="Calls" calls={calls} />}
      <Paging
        newest={isFirst ? undefined : `${usagePath(view)}#calls`}
        older={nextCursor === null ? undefined : `${usagePath(view, { cursor: nextCursor })}#calls`}
      />
    </Card>
  );
}

function CallFilter({ view, keys }: Pick<UsageProps, 'view' | 'keys'>) {
  const { days, from, to, by, unit } = view;
  const range = days === null ? { from, to } : { days: String(days) };
  const keyNames = { '': 'All keys', ...Object.fromEntries(keys.map(({ id, name }) => [id, name])) };
  const operations = { '': 'All operations', search: 'Searches', profile: 'Profiles' };
  const outcomes = { '': 'All', posted: 'Answered', voided: 'Failed' };
  return (
    <Form method="get" class="line-form" action={`${pagePaths.usage}#calls`} hidden={{ ...range, by, unit }}>
      <Select id="key" name="key" label="Key" value={view.keyId ?? ''} options={keyNames} submits />
      <Select
        id="operation"
        name="operation"
        label="Operation"
        value={view.operation ?? ''}
        options={operations}
        submits
      />
      <Select id="state" name="state" label="Outcome" value={view.state ?? ''} options={outcomes} submits />
      <Button>Filter</Button>
    </Form>
  );
}

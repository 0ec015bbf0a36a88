import { type UsageRow } from '@app/contracts';
import { type Series } from '../../components/charts/bar-chart.js';
import { DataTable } from '../../components/display/data-table.js';
import { usageByDay, type UsageUnit } from '../../data/sum-usage.js';
import { formatDate } from '../../view/dates.js';
import { formatNumber } from '../../view/format.js';

interface UsageTableProps {
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly usage: readonly UsageRow[];
  /** Of the series. */
  readonly unit: UsageUnit;
}

/** The figures of the chart, newest first. Days without a call are left out. */
export function UsageTable({ days, series, usage, unit }: UsageTableProps) {
  const calls = usageByDay(usage, days, 'calls');
  const credits = usageByDay(usage, days, 'credits');
  const columns = [
    { title: 'Day' },
    ...series.map(({ name }) => ({ title: `${name} (${unit})`, isNumber: true })),
    { title: 'Calls', isNumber: true },
    { title: 'Credits', isNumber: true },
  ];
  const rows = days.map((day, index) => ({ day, index })).filter(({ index }) => (calls[index] ?? 0) > 0);
  return (
    <details class="figures">
      <summary>View as table</summary>
      <DataTable caption="Usage by day" columns={columns}>
        {rows.reverse().map(({ day, index }) => (
          <tr key={day}>
            <th scope="row">{formatDate(day)}</th>
            {series.map(({ name, values }) => (
              <td key={name} class="number">
                {formatNumber(values[index] ?? 0)}
              </td>
            ))}
            <td class="number">{formatNumber(calls[index] ?? 0)}</td>
            <td class="number">{formatNumber(credits[index] ?? 0)}</td>
          </tr>
        ))}
      </DataTable>
    </details>
  );
}

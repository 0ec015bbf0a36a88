import { type EntryType, type StatementPage, type StatementEntry } from '#contracts';
import { callPath, operationNames } from '../../components/calls.js';
import { Tabs } from '../../components/controls.js';
import { Card, Moment } from '../../components/display.js';
import { type Column, DataTable, Paging } from '../../components/table.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { formatChange, formatNumber, lotNames } from '../../view/format.js';
import { type PageView } from '../../view/page.js';

interface StatementProps {
  readonly creditsRemaining: number;
  readonly entries: StatementPage;
  readonly type: EntryType | undefined;
  readonly cursor: string | undefined;
}

const typeNames: Readonly<Record<EntryType, string>> = {
  purchase: 'Purchases',
  charge: 'Calls',
  reversal: 'Returned',
  expiry: 'Expired',
  adjustment: 'Adjustments',
};

const columnsOfType: readonly Column<StatementEntry>[] = [
  { title: 'Date', cell: ({ at }) => <Moment at={at} /> },
  {
    title: 'Description',
    cell: (entry) =>
      entry.request_id === null ? wordsOf(entry) : <a href={callPath(entry.request_id)}>{wordsOf(entry)}</a>,
  },
  {
    title: 'Credits',
    class: 'number',
    cell: ({ credits }) => formatChange(credits),
  },
];
const columns: readonly Column<StatementEntry>[] = [
  ...columnsOfType,
  {
    title: 'Balance',
    class: 'number',
    cell: ({ balance_after: balance }) => (balance === null ? '' : formatNumber(balance)),
  },
];

/** Every change of the balance. */
export function statementPage({ creditsRemaining, entries, type, cursor }: StatementProps): PageView {
  const pathOf = (next?: string): string => withQuery(pagePaths.statement, { type, cursor: next });
  return {
    title: 'Statement',
    section: 'statement',
    answer: `Balance ${formatNumber(creditsRemaining)}`,
    body: (
      <>
        <Tabs
          label="Type of entry"
          names={{ '': 'All', ...typeNames }}
          current={type ?? ''}
          pathOf={(choice) => withQuery(pagePaths.statement, { type: choice })}
        />
        <Card
          title={type === undefined ? 'All entries' : typeNames[type]}
          aside={<a href={withQuery(`${pagePaths.statement}.csv`, { type })}>Download CSV</a>}
        >
          <DataTable
            caption="Entries"
            columns={type === undefined ? columns : columnsOfType}
            rows={entries.items}
            empty="Nothing here yet. Purchases, calls and expired credits will be listed here."
          />
          {entries.online_since !== null && entries.next_cursor === null && (
            <p>
              Entries from before <Moment at={entries.online_since} /> are archived: ask support for them.
            </p>
          )}
          <Paging cursor={cursor} next={entries.next_cursor} pathOf={pathOf} />
        </Card>
      </>
    ),
  };
}

/** The description of an entry. */
function wordsOf({ type, pack, operation, credits, reason }: StatementEntry): string {
  const call = operationNames[operation ?? 'search'];
  switch (type) {
    case 'purchase':
      return `Purchase: ${lotNames[pack]}`;
    case 'charge':
      return call;
    case 'reversal':
      return `Returned: failed ${call.toLowerCase()}`;
    case 'expiry':
      return `Expired: ${lotNames[pack]}`;
    case 'adjustment':
      return reason ?? (credits > 0 ? 'Goodwill credit' : 'Correction');
  }
}

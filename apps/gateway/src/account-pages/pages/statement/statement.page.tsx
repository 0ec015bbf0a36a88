import { type EntryType, entryTypes, type StatementEntry } from '@app/contracts';
import { callPath, operationNames } from '../../components/calls.js';
import { Card, Empty, Moment, PageTitle } from '../../components/display.js';
import { Choices, DataTable, Paging } from '../../components/table.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { formatChange, formatNumber, lotNames } from '../../view/format.js';
import { type PageView } from '../../view/page.js';

interface StatementProps {
  readonly creditsRemaining: number;
  readonly entries: readonly StatementEntry[];
  readonly type: EntryType | undefined;
  readonly cursor: string | undefined;
  readonly nextCursor: string | null;
}

const typeNames: Readonly<Record<EntryType, string>> = {
  purchase: 'Purchases',
  charge: 'Calls',
  reversal: 'Returned',
  expiry: 'Expired',
  adjustment: 'Adjustments',
};

const columns = [
  { title: 'Date' },
  { title: 'Description' },
  { title: 'Credits', isNumber: true },
  { title: 'Balance', isNumber: true },
];

/** Every change of the balance. */
export function statementPage({
  creditsRemaining,
  entries,
  type,
  cursor,
  nextCursor,
}: StatementProps): PageView {
  const path = withQuery(pagePaths.statement, { type });
  const choices = [undefined, ...entryTypes].map((choice) => ({
    name: choice === undefined ? 'All' : typeNames[choice],
    path: withQuery(pagePaths.statement, { type: choice }),
    isChosen: choice === type,
  }));
  return {
    title: 'Statement',
    section: 'statement',
    body: (
      <>
        <PageTitle title="Statement" answer={`Balance ${formatNumber(creditsRemaining)}`} />
        <Choices label="Type of entry" choices={choices} />
        <Card
          title={type === undefined ? 'All entries' : typeNames[type]}
          aside={<a href={withQuery(`${pagePaths.statement}.csv`, { type })}>Download CSV</a>}
        >
          {entries.length === 0 ? (
            <Empty>Nothing here yet. Purchases, calls and expired credits will be listed here.</Empty>
          ) : (
            <Entries entries={entries} />
          )}
          <Paging
            newest={cursor === undefined ? undefined : path}
            older={
              nextCursor === null ? undefined : withQuery(pagePaths.statement, { type, cursor: nextCursor })
            }
          />
        </Card>
      </>
    ),
  };
}

function Entries({ entries }: Pick<StatementProps, 'entries'>) {
  return (
    <DataTable caption="Entries" columns={columns}>
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td>
            <Moment at={entry.at} />
          </td>
          <td class="wraps">
            {entry.request_id === null ? (
              wordsOf(entry)
            ) : (
              <a href={callPath({ request_id: entry.request_id })}>{wordsOf(entry)}</a>
            )}
          </td>
          <td class={`number ${entry.credits > 0 ? 'gain' : ''}`}>{formatChange(entry.credits)}</td>
          <td class="number">{formatNumber(entry.balance_after)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

/** What an entry is, in a few words. */
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

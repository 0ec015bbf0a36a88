import { type EntryType, entryTypes, type StatementEntry } from '@app/contracts';
import { callPath } from '../../components/calls/call-table.js';
import { LinkButton } from '../../components/controls/button.js';
import { Card } from '../../components/display/card.js';
import { DataTable } from '../../components/display/data-table.js';
import { Empty } from '../../components/display/empty.js';
import { Moment } from '../../components/display/moment.js';
import { PageTitle } from '../../components/display/page-title.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { formatChange, formatNumber } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { typeNames, wordsOf } from './entry-words.js';

export interface StatementProps {
  readonly creditsRemaining: number;
  readonly entries: readonly StatementEntry[];
  readonly type: EntryType | undefined;
  readonly cursor: string | undefined;
  readonly nextCursor: string | null;
}

const columns = [
  { title: 'When' },
  { title: 'What' },
  { title: 'Credits', isNumber: true },
  { title: 'Balance after', isNumber: true },
];

/** Every change of the balance. */
export function statementPage(props: StatementProps): PageView {
  const { creditsRemaining, entries, type } = props;
  return {
    title: 'Statement',
    section: 'statement',
    body: (
      <>
        <PageTitle title="Statement" answer={`Balance ${formatNumber(creditsRemaining)}`} />
        <TypeFilter type={type} />
        <Card
          title={type === undefined ? 'All entries' : typeNames[type]}
          aside={<a href={withQuery(`${pagePaths.statement}.csv`, { type })}>Download CSV</a>}
        >
          {entries.length === 0 ? (
            <Empty>
              Nothing here yet. Each purchase, each call and each credit that expires will be a line of its
              own.
            </Empty>
          ) : (
            <Entries entries={entries} />
          )}
          <Paging {...props} />
        </Card>
      </>
    ),
  };
}

function TypeFilter({ type }: Pick<StatementProps, 'type'>) {
  return (
    <ul class="choices" aria-label="Kind of entry">
      {[undefined, ...entryTypes].map((choice) => (
        <li key={choice ?? 'all'}>
          <a
            href={withQuery(pagePaths.statement, { type: choice })}
            aria-current={choice === type ? 'true' : undefined}
          >
            {choice === undefined ? 'All' : typeNames[choice]}
          </a>
        </li>
      ))}
    </ul>
  );
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

function Paging({ type, cursor, nextCursor }: StatementProps) {
  if (cursor === undefined && nextCursor === null) return null;
  return (
    <div class="pages">
      {cursor !== undefined && (
        <LinkButton href={withQuery(pagePaths.statement, { type })}>Newest</LinkButton>
      )}
      {nextCursor !== null && (
        <LinkButton href={withQuery(pagePaths.statement, { type, cursor: nextCursor })}>Older</LinkButton>
      )}
    </div>
  );
}

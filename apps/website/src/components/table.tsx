import { type ComponentChildren } from 'preact';
import { LinkButton } from './controls.js';
import { Empty } from './display.js';

/** A column of a table: its title, and its cell in each row. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Class of the column's cells. `extra`: left out on phones. */
  readonly class?: 'number' | 'extra' | 'number extra';
}

interface DataTableProps<Row> {
  /** What the table holds, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Stands in for a table without rows: what will be here. */
  readonly empty?: string;
}

/** A table that scrolls inside itself where it is too wide. */
export function DataTable<Row>({ caption, columns, rows, empty }: DataTableProps<Row>) {
  if (empty !== undefined && rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={column.class}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.title} class={column.class}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PagingProps {
  /** Of the page that is shown; `undefined`: the first. */
  readonly cursor: string | undefined;
  /** Of the next page, if there is one. */
  readonly next: string | null;
  readonly pathOf: (cursor?: string) => string;
}

/** Links to the pages of a list, newest first. */
export function Paging({ cursor, next, pathOf }: PagingProps) {
  if (cursor === undefined && next === null) return null;
  return (
    <div class="group">
      {cursor !== undefined && <LinkButton href={pathOf()}>Newest</LinkButton>}
      {next !== null && <LinkButton href={pathOf(next)}>Older</LinkButton>}
    </div>
  );
}

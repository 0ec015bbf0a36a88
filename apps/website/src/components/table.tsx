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
  /** Paths: of the first page, when another one is shown, and of the next one. */
  readonly newest: string | undefined;
  readonly older: string | undefined;
}

/** Links to the pages of a list, newest first. */
export function Paging({ newest, older }: PagingProps) {
  if (newest === undefined && older === undefined) return null;
  return (
    <div class="group">
      {newest !== undefined && <LinkButton href={newest}>Newest</LinkButton>}
      {older !== undefined && <LinkButton href={older}>Older</LinkButton>}
    </div>
  );
}

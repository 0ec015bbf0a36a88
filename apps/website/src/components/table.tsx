import { type ComponentChildren } from 'preact';
import { LinkButton } from './controls.js';

/** A column of a table: its title, and its cell in each row. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Its cells are the headers of their rows. */
  readonly isHead?: boolean;
  /** Hidden on narrow screens. */
  readonly isWideOnly?: boolean;
  /** Of its cells. */
  readonly class?: string;
}

interface DataTableProps<Row> {
  /** What the table holds, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowClass?: (row: Row) => string | undefined;
}

/** A table that scrolls inside itself where it is too wide; a shadow at its edge shows that it does. */
export function DataTable<Row>({ caption, columns, rows, rowClass }: DataTableProps<Row>) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} class={rowClass?.(row)}>
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  if (column.isHead) return <th scope="row">{column.cell(row)}</th>;
  return <td class={classOf(column, column.class)}>{column.cell(row)}</td>;
}

function classOf<Row>({ isNumber, isWideOnly }: Column<Row>, more?: string): string | undefined {
  return [more, isNumber && 'number', isWideOnly && 'wide-only'].filter(Boolean).join(' ') || undefined;
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
    <div class="pages">
      {newest !== undefined && <LinkButton href={newest}>Newest</LinkButton>}
      {older !== undefined && <LinkButton href={older}>Older</LinkButton>}
    </div>
  );
}

interface ChoicesProps {
  readonly label: string;
  /** Each with the path that shows it. */
  readonly choices: readonly { readonly name: string; readonly path: string; readonly isChosen: boolean }[];
}

/** Views of a page, one of which is shown. */
export function Choices({ label, choices }: ChoicesProps) {
  return (
    <ul class="choices" aria-label={label}>
      {choices.map(({ name, path, isChosen }) => (
        <li key={name}>
          <a href={path} aria-current={isChosen ? 'true' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

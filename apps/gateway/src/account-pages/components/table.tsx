import { type ComponentChildren } from 'preact';
import { LinkButton } from './controls.js';

interface DataTableProps {
  /** What the table holds, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly children: ComponentChildren;
}

interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Left out on a narrow screen: its cells are `wide-only`. */
  readonly isWideOnly?: boolean;
}

/** A table that scrolls inside itself where it is too wide; a shadow at its edge shows that it does. */
export function DataTable({ caption, columns, children }: DataTableProps) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, isWideOnly }) => (
              <th
                key={title}
                scope="col"
                class={
                  [isNumber && 'number', isWideOnly && 'wide-only'].filter(Boolean).join(' ') || undefined
                }
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface PagingProps {
  /** Paths: of the first page, when another one is shown, and of the next one. */
  readonly newest: string | undefined;
  readonly older: string | undefined;
}

/** Leads through a list, newest first. */
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

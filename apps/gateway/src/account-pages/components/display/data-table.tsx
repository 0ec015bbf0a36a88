import { type ComponentChildren } from 'preact';

interface DataTableProps {
  /** What the table holds, for those who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly children: ComponentChildren;
}

export interface Column {
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
              <th key={title} scope="col" class={classOf(isNumber, isWideOnly)}>
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

function classOf(isNumber = false, isWideOnly = false): string | undefined {
  return [isNumber && 'number', isWideOnly && 'wide-only'].filter(Boolean).join(' ') || undefined;
}

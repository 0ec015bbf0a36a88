/**
 * Rows that a statement gets as one text, which PostgreSQL reads faster than arrays: a line each, with tabs between the columns, none
 * of which may have either. `columns`: their types, in order. OFFSET lets each line be read once.
 */
export function rowsOfText(text: string, columns: Readonly<Record<string, string>>): string {
  const values = Object.entries(columns).map(
    ([name, type], at) => `split_part(line, E'\\t', ${at + 1})::${type} AS ${name}`,
  );
  return `(SELECT ${values.join(', ')} FROM string_to_table(${text}, E'\\n') AS line OFFSET 0) AS given`;
}

/** The text that `rowsOfText` reads. */
export function textOfRows(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.join('\t')).join('\n');
}

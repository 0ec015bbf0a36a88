/** A column of a table: `name` in the table, `field` in objects. */
interface TableColumn {
  readonly field: string;
  readonly name: string;
}

/** The columns that hold these fields, for statements that are written by hand: `accountId` is stored as `account_id`. */
export function columnsOf(...fields: readonly string[]): readonly TableColumn[] {
  return fields.map((field) => ({
    field,
    name: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  }));
}

/** Rows with these fields, as `json_populate_recordset` takes them; a field that is missing is NULL. */
export function rowsAsJson(columns: readonly TableColumn[], rows: readonly object[]): string {
  return JSON.stringify(
    rows.map((row) => {
      const written: Record<string, unknown> = {};
      for (const { field, name } of columns) {
        written[name] = (row as Readonly<Record<string, unknown>>)[field];
      }
      return written;
    }),
  );
}

/** The values of these fields, an array for each, as `unnest` takes them. */
export function arraysOf<Row>(rows: readonly Row[], ...fields: readonly (keyof Row)[]): unknown[][] {
  return fields.map((field) => rows.map((row) => row[field]));
}

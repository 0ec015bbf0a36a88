import { getMetadataArgsStorage } from 'typeorm';

/** A column of an entity: `name` in the table, `field` in the class. */
interface EntityColumn {
  readonly field: string;
  readonly name: string;
}

/** The columns of an entity, for statements that are written by hand. Reads those of all entities: call it when a module is loaded. */
export function columnsOf(entity: new () => object): readonly EntityColumn[] {
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === entity);
  return columns.map(({ propertyName: field, options }) => ({ field, name: options.name ?? field }));
}

/** Rows with these fields, as `json_populate_recordset` takes them; a field that is missing is NULL. */
export function rowsAsJson(columns: readonly EntityColumn[], rows: readonly object[]): string {
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

import { getMetadataArgsStorage } from 'typeorm';

/** The columns of an entity, for statements that are written by hand: `name` in the table, `field` in the class. */
export function columnsOf(entity: new () => object): { readonly field: string; readonly name: string }[] {
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === entity);
  return columns.map(({ propertyName: field, options }) => ({ field, name: options.name ?? field }));
}

/** Rows with the fields of an entity, as `json_populate_recordset` takes them; a field that is missing is NULL. */
export function rowsAsJson(entity: new () => object, rows: readonly object[]): string {
  const columns = columnsOf(entity);
  return JSON.stringify(
    rows.map((row) => {
      const values: Readonly<Record<string, unknown>> = { ...row };
      return Object.fromEntries(columns.map(({ field, name }) => [name, values[field]]));
    }),
  );
}

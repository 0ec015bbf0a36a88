import { getMetadataArgsStorage } from 'typeorm';

interface EntityColumn {
  readonly field: string;
  readonly name: string;
}

/** Found once for each entity: each batch of charges asks for them, and the storage has those of all entities. */
const known = new Map<new () => object, readonly EntityColumn[]>();

/** The columns of an entity, for statements that are written by hand: `name` in the table, `field` in the class. */
export function columnsOf(entity: new () => object): readonly EntityColumn[] {
  const found = known.get(entity) ?? findColumns(entity);
  known.set(entity, found);
  return found;
}

function findColumns(entity: new () => object): readonly EntityColumn[] {
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === entity);
  return columns.map(({ propertyName: field, options }) => ({ field, name: options.name ?? field }));
}

/** Rows with the fields of an entity, as `json_populate_recordset` takes them; a field that is missing is NULL. */
export function rowsAsJson(entity: new () => object, rows: readonly object[]): string {
  if (rows.length === 0) return '[]';
  const columns = columnsOf(entity);
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

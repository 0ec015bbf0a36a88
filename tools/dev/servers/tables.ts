import { withClient } from './databases.js';

/** A table of a database as PostgreSQL describes it. */
export interface Table {
  readonly name: string;
  /** Columns as between the parentheses of CREATE TABLE. */
  readonly columns: readonly string[];
  readonly constraints: readonly string[];
  /** CREATE INDEX statements, except of indexes that belong to a constraint. */
  readonly indexes: readonly string[];
  readonly triggers: readonly string[];
  /** `PARTITION BY ...`; `null` for a table that holds its rows itself. */
  readonly partitionedBy: string | null;
  /** The table that it is a partition of, and which rows it has. */
  readonly partition: { readonly of: string; readonly rows: string } | null;
}

/** TypeORM's list of applied migrations is not part of a service's data. */
const tablesSql = `
  SELECT class.relname AS name,
    ARRAY(
      SELECT concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
        CASE WHEN attnotnull THEN 'NOT NULL' END,
        CASE WHEN attidentity <> '' THEN 'GENERATED ALWAYS AS IDENTITY' END,
        'DEFAULT ' || pg_get_expr(adbin, adrelid))
      FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum
    ) AS columns,
    ARRAY(
      SELECT format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE conrelid = class.oid AND contype IN ('p', 'u', 'f', 'c', 'x')
      ORDER BY position(contype::text IN 'pufcx'), conname
    ) AS constraints,
    ARRAY(
      SELECT pg_get_indexdef(indexrelid) FROM pg_index
      WHERE indrelid = class.oid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')
      ORDER BY indexrelid::regclass::text
    ) AS indexes,
    ARRAY(
      SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = class.oid AND NOT tgisinternal ORDER BY tgname
    ) AS triggers,
    'PARTITION BY ' || pg_get_partkeydef(class.oid) AS "partitionedBy",
    (SELECT json_build_object('of', inhparent::regclass::text, 'rows', pg_get_expr(class.relpartbound, class.oid))
      FROM pg_inherits WHERE inhrelid = class.oid) AS partition
  FROM pg_class AS class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname <> 'migrations'
  ORDER BY relname`;

/** The tables of a database, by name. */
export function readTables(url: string): Promise<Table[]> {
  return withClient(url, async (client) => (await client.query<Table>(tablesSql)).rows);
}

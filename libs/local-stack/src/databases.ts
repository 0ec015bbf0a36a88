import { Client } from 'pg';

const connectTimeoutMs = 5_000;

/** Runs `work` on a separate connection. When connecting fails, the error names the database, without its password. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  try {
    await client.connect().catch((cause: unknown) => {
      const { host, pathname } = new URL(url);
      throw new Error(`The database ${pathname.slice(1)} on ${host} can't be used.`, { cause });
    });
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A table of a database as PostgreSQL describes it. */
export interface Table {
  readonly name: string;
  /** As between the parentheses of CREATE TABLE. */
  readonly columns: readonly string[];
  readonly constraints: readonly string[];
  /** Complete statements, without those that belong to a constraint. */
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

/** Functions of extensions are left out. */
const functionsSql = `
  SELECT pg_get_functiondef(proc.oid) AS definition FROM pg_proc AS proc
  WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = proc.oid AND deptype = 'e')
  ORDER BY proname`;

const settingsSql = `SELECT extname AS name FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY extname`;

/** The tables of a database, by name. */
export function readTables(url: string): Promise<Table[]> {
  return withClient(url, async (client) => (await client.query<Table>(tablesSql)).rows);
}

/**
 * The schema of a database as PostgreSQL describes it, for readers: the same for the same migrations. Partitions of a time depend on
 * when they were made: they are left out.
 */
export function describeSchema(url: string, title: string): Promise<string> {
  return withClient(url, async (client) => {
    const extensions = await client.query<{ name: string }>(settingsSql);
    const { rows } = await client.query<Table>(tablesSql);
    const tables = rows.filter(({ partition }) => !partition?.rows.startsWith('FOR VALUES FROM'));
    const functions = await client.query<{ definition: string }>(functionsSql);
    const parts = [
      `-- ${title}, as its migrations leave it. Written by \`npm run docs\`.`,
      ...extensions.rows.map(({ name }) => `CREATE EXTENSION ${name};`),
      ...tables.map((table) => showTable(table, tables)),
      ...functions.rows.map(({ definition }) => `${definition.trim()};`),
    ];
    return `${parts.join('\n\n')}\n`;
  });
}

function showTable(table: Table, all: readonly Table[]): string {
  const { name, columns, constraints, indexes, triggers, partitionedBy, partition } = table;
  const whole = all.find((one) => one.name === partition?.of);
  const body = whole
    ? constraints.filter((constraint) => !whole.constraints.includes(constraint))
    : [...columns, ...constraints];
  const create = [
    `CREATE TABLE ${name}`,
    ...(partition ? [`PARTITION OF ${partition.of}`] : []),
    `(\n${body.map((line) => `  ${line}`).join(',\n')}\n)`,
    ...(partition ? [partition.rows] : []),
    ...(partitionedBy === null ? [] : [partitionedBy]),
  ];
  const statements = [create.join(' '), ...indexes, ...triggers];
  return statements.map((statement) => `${withoutSchema(statement)};`).join('\n');
}

function withoutSchema(statement: string): string {
  return statement.replace(/\bpublic\./g, '');
}

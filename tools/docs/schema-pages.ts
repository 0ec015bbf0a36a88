import {
  createServiceDatabases,
  type DatabaseName,
  migrateDatabase,
  readTables,
  startPostgres,
  type Table,
  withClient,
} from '#dev';

/** Where the schema of each service is described. */
export const schemaPages: Readonly<Record<DatabaseName, string>> = {
  billing: 'docs/schema/billing.sql',
  catalog: 'docs/schema/catalog.sql',
};

/** The content of each page, read from temporary databases migrated by the built migration jobs. */
export async function describeSchemas(): Promise<Record<DatabaseName, string>> {
  const postgres = await startPostgres();
  try {
    const urls = await createServiceDatabases(postgres);
    const describe = async (name: DatabaseName, variable: string, title: string): Promise<string> => {
      await migrateDatabase(name, { PATH: process.env.PATH, [variable]: urls[name] });
      return describeSchema(urls[name], title);
    };
    return {
      billing: await describe('billing', 'BILLING_DATABASE_URL', 'The database of billing'),
      catalog: await describe('catalog', 'CATALOG_DATABASE_URL', 'The database of the catalog'),
    };
  } finally {
    await postgres.stop();
  }
}

/** Functions of extensions are left out. */
const functionsSql = `
  SELECT pg_get_functiondef(proc.oid) AS definition FROM pg_proc AS proc
  WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = proc.oid AND deptype = 'e')
  ORDER BY proname`;

const settingsSql = `SELECT extname AS name FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY extname`;

/**
 * The schema of a database as PostgreSQL describes it, for readers: the same for the same migrations. Partitions of a time depend on
 * when they were made: they are left out.
 */
function describeSchema(url: string, title: string): Promise<string> {
  return withClient(url, async (client) => {
    const extensions = await client.query<{ name: string }>(settingsSql);
    const rows = await readTables(url);
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

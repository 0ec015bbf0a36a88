import {
  createServiceDatabases,
  type DatabaseName,
  describeSchema,
  migrateDatabase,
  startPostgres,
} from '#local-stack';

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

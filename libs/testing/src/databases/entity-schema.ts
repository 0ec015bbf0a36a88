import { readTables, type Table } from '@app/local-stack';
import { postgresOptions } from '@app/platform/database';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabaseOptions } from './test-database.js';

interface EntityService extends Pick<TestDatabaseOptions, 'name' | 'migrations'> {
  readonly entities: (new () => object)[];
}

/** A schema without its triggers: entities define none. */
export type EntityTables = Record<string, Omit<Table, 'name' | 'triggers'>>;

interface EntitySchema {
  /** What TypeORM would change in a migrated database. */
  readonly proposed: string[];
  readonly migrated: EntityTables;
  /** Of a database created from the entities alone. */
  readonly fromEntities: EntityTables;
}

/** The same tables as a service's migrations and as its entities define them. */
export async function entitySchema({ name, migrations, entities }: EntityService): Promise<EntitySchema> {
  const [migrated, empty] = await Promise.all([
    createTestDatabase({ name, migrations }),
    createTestDatabase({ name, migrations: [] }),
  ]);
  try {
    const proposed = await withEntities(migrated.url, entities, async (dataSource) => {
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      return upQueries.map(({ query }) => query);
    });
    await withEntities(empty.url, entities, (dataSource) => dataSource.synchronize());
    return {
      proposed,
      migrated: byName(await readTables(migrated.url)),
      fromEntities: byName(await readTables(empty.url)),
    };
  } finally {
    await Promise.all([migrated.drop(), empty.drop()]);
  }
}

async function withEntities<Result>(
  url: string,
  entities: EntityService['entities'],
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const options = { url, applicationName: 'entities', poolSize: 2, migrations: [], entities };
  const dataSource = await new DataSource(postgresOptions(options)).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

function byName(tables: readonly Table[]): EntityTables {
  return Object.fromEntries(
    tables.map(({ name, columns, constraints, indexes }) => [name, { columns, constraints, indexes }]),
  );
}

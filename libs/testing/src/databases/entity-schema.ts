import { readTables, type Table } from '#dev';
import { postgresOptions } from '#platform/database';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabaseOptions } from './test-database.js';

interface EntityService extends Pick<TestDatabaseOptions, 'name' | 'migrations'> {
  readonly entities: (new () => object)[];
}

/**
 * The same tables as a service's migrations and as its entities define them, without what only migrations define:
 * checks, unique constraints, foreign keys, indexes and names.
 */
export async function entitySchema({ name, migrations, entities }: EntityService) {
  const [migrated, empty] = await Promise.all([
    createTestDatabase({ name, migrations }),
    createTestDatabase({ name, migrations: [] }),
  ]);
  try {
    await createTables(empty.url, entities);
    return {
      migrated: byName(await readTables(migrated.url)),
      /** Tables of a database created only from the entities. */
      fromEntities: byName(await readTables(empty.url)),
    };
  } finally {
    await Promise.all([migrated.drop(), empty.drop()]);
  }
}

async function createTables(url: string, entities: EntityService['entities']): Promise<void> {
  const options = { url, applicationName: 'entities', poolSize: 2, entities };
  const dataSource = await new DataSource(postgresOptions(options)).initialize();
  await dataSource.synchronize();
  await dataSource.destroy();
}

/** An entity stands for a table with all its partitions, which have the primary key that is each one's own. */
function byName(tables: readonly Table[]): Record<string, { columns: string[]; primaryKey: string[] }> {
  const whole = tables.filter(({ partition }) => partition === null);
  return Object.fromEntries(
    whole.map(({ name, columns }) => {
      const parts = tables.filter((table) => table.name === name || table.partition?.of === name);
      const keys = parts.flatMap(({ constraints }) =>
        constraints.flatMap((constraint) => /PRIMARY KEY .*/.exec(constraint) ?? []),
      );
      return [name, { columns: columns.toSorted(), primaryKey: [...new Set(keys)] }];
    }),
  );
}

import { createTestDatabase, type TestDatabase } from '@app/testing';
import { DataSource, type MigrationInterface } from 'typeorm';
import { billingMigrationOptions } from './data-source.js';
import { migrations } from './migrations/index.js';

/** A database as an older version left it. */
export interface DatabaseBefore {
  readonly database: DataSource;
  /** The migration that it has not had yet; later ones are missing too. */
  readonly Migration: new () => MigrationInterface;
}

/** For each test, a database as it was before the migration whose class name begins so. */
export function useDatabaseBefore(name: string): DatabaseBefore {
  const before = migrations.findIndex((migration) => migration.name.startsWith(name));
  const Migration = migrations[before];
  if (!Migration) throw new Error(`there is no migration ${name}`);
  let older: TestDatabase;
  let database: DataSource;
  beforeEach(async () => {
    older = await createTestDatabase({ name: 'billing', migrations: migrations.slice(0, before) });
    database = await new DataSource(billingMigrationOptions(older.url)).initialize();
  });
  afterEach(async () => {
    await database?.destroy();
    await older?.drop();
  });
  return {
    Migration,
    get database() {
      return database;
    },
  };
}

import { migrate } from '#platform/database';
import { createTestDatabase, entitySchema } from '#testing';
import { DataSource } from 'typeorm';
import { entities } from '../entities.js';
import { billingMigrationOptions } from './data-source.js';
import { migrations } from './migrations/index.js';

it('the migrations create the schema in an empty database once, even when two replicas migrate at once', async () => {
  const database = await createTestDatabase({ name: 'billing', migrations: [] });
  const connect = () => new DataSource(billingMigrationOptions(database.url)).initialize();
  const jobs = await Promise.all([connect(), connect()]);
  const applied = await Promise.all(jobs.map((job) => migrate(job)));
  expect(applied.flat()).toEqual(migrations.map(({ name }) => name));
  expect(await jobs[0].showMigrations()).toBe(false);
  await Promise.all(jobs.map((job) => job.destroy()));
  await database.drop();
});

it('the tables of the entities have the columns and primary keys of the migrations', async () => {
  const { fromEntities, migrated } = await entitySchema({ name: 'billing', migrations, entities });
  expect(Object.keys(fromEntities)).toHaveLength(entities.length);
  expect(migrated).toMatchObject(fromEntities);
});

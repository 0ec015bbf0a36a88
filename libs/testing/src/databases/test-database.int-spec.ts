import { Client } from 'pg';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { runSql } from './run-sql.js';
import { createTestDatabase } from './test-database.js';

class CreateThings1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE things (id integer PRIMARY KEY)');
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

const options = { name: 'billing', migrations: [CreateThings1700000000000] } as const;

describe('createTestDatabase', () => {
  it('gives each caller a migrated database of its own, also when they ask at once', async () => {
    const databases = await Promise.all([1, 2, 3].map(() => createTestDatabase(options)));
    for (const [index, database] of databases.entries()) {
      await runSql(database.url, `INSERT INTO things VALUES (${index})`);
      expect(await runSql(database.url, 'SELECT id FROM things')).toEqual([{ id: index }]);
    }
    await Promise.all(databases.map((database) => database.drop()));
  });

  it('removes a database even while someone is connected to it', async () => {
    const database = await createTestDatabase(options);
    const client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    await database.drop();
    await expect(runSql(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});

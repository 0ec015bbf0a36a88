import { createTestDatabase } from '#testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createLogger } from '../logger.js';
import { refuseOwner } from './check-role.js';
import { type Grants } from './grants.js';
import { postgresOptions } from './postgres.js';

class Things1700000000000 implements MigrationInterface {
  up = (runner: QueryRunner): Promise<void> => runner.query('CREATE TABLE things ()');
  down = (): Promise<void> => Promise.resolve();
}

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

/** Checks the owner, or the role of the service, of a database with these grants. */
async function check(who: 'url' | 'runtimeUrl', grants: Grants): Promise<void> {
  const database = await createTestDatabase({ name: 'billing', migrations: [Things1700000000000], grants });
  const options = { url: database[who], poolSize: 1, applicationName: 'role' };
  const dataSource = await new DataSource(postgresOptions(options)).initialize();
  try {
    await refuseOwner(dataSource, logger);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
}

it('a service with a role of its own is refused the rights of the owner', async () => {
  const grants = { things: 'SELECT, INSERT', migrations: 'SELECT' };
  await expect(check('url', grants)).rejects.toThrow(/^The role \w+ owns the tables, which is only for the/);
  await check('runtimeUrl', grants);
});

it.each<[string, Grants]>([
  ['there is no other role', {}],
  ['others only read, as for reports', { things: 'SELECT', migrations: 'SELECT' }],
])('the owner may run the service where %s', async (_where, grants) => {
  await check('url', grants);
});

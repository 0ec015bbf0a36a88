import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '#testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { grantExactly, type Grants } from './grants.js';

const suffix = randomUUID().slice(0, 8);
const names = { owner: `test_owner_${suffix}`, role: `test_role_${suffix}` };
let database: TestDatabase;
let superuser: Client;
let owner: DataSource;
let runtime: DataSource;

function connect(role: string): Promise<DataSource> {
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'test'];
  return new DataSource({ type: 'postgres', url: url.toString() }).initialize();
}

const grant = (grants: Grants, role = names.role): Promise<void> => grantExactly(owner, role, grants);

beforeAll(async () => {
  database = await createTestDatabase({ name: 'billing', migrations: [] });
  superuser = new Client({ connectionString: database.url });
  await superuser.connect();
  for (const role of [names.owner, names.role]) {
    await superuser.query(`CREATE ROLE ${role} LOGIN PASSWORD 'test'`);
  }
  await superuser.query(`GRANT ALL ON SCHEMA public TO ${names.owner} WITH GRANT OPTION`);
  [owner, runtime] = [await connect(names.owner), await connect(names.role)];
  await owner.query('CREATE TABLE things (id integer GENERATED ALWAYS AS IDENTITY, name text)');
  await owner.query('CREATE TABLE others (id serial)');
});

afterAll(async () => {
  await Promise.all([owner?.destroy(), runtime?.destroy()]);
  await superuser.query(`DROP OWNED BY ${names.owner}, ${names.role} CASCADE`);
  await superuser.query(`DROP ROLE ${names.owner}, ${names.role}`);
  await superuser.end();
  await database.drop();
});

describe('the privileges of a role', () => {
  it('are exactly those of the list, whatever it had before, also when granted again', async () => {
    await owner.query(`GRANT ALL ON things, others TO ${names.role}`);
    await owner.query(`GRANT ALL ON SEQUENCE others_id_seq TO ${names.role}`);
    await owner.query(`GRANT UPDATE (id) ON things TO ${names.role}`);
    for (let time = 0; time < 2; time++) {
      await grant({ things: 'SELECT, INSERT, UPDATE (name)' });
      await runtime.query(`INSERT INTO things (name) VALUES ('one')`);
      await runtime.query(`UPDATE things SET name = 'other'`);
      for (const refused of [
        'UPDATE things SET id = DEFAULT',
        'DELETE FROM things',
        'TRUNCATE things',
        'SELECT FROM others',
        `SELECT nextval('others_id_seq')`,
      ]) {
        await expect(runtime.query(refused)).rejects.toThrow('permission denied');
      }
    }
  });

  it('are never missing while they are granted again', async () => {
    const grants = { things: 'SELECT', others: 'SELECT' };
    await grant(grants);
    let isOver = false;
    const reading = async (): Promise<number> => {
      let reads = 0;
      for (; !isOver; reads++) await runtime.query('SELECT FROM things, others LIMIT 1');
      return reads;
    };
    const reads = reading();
    for (let time = 0; time < 50; time++) await grant(grants);
    isOver = true;
    expect(await reads).toBeGreaterThan(0);
  });

  it('are not granted to a role that does not exist', async () => {
    await expect(grant({}, 'nobody_of_this_name')).rejects.toThrow('there is no role nobody_of_this_name');
  });

  // Where services have databases of their own, the role of another one may not connect.
  it.each([
    ['is a superuser', 'ALTER ROLE $role SUPERUSER', 'ALTER ROLE $role NOSUPERUSER'],
    ['is a member of', 'GRANT $owner TO $role', 'REVOKE $owner FROM $role'],
    [
      'REVOKE CREATE',
      'GRANT CREATE ON SCHEMA public TO PUBLIC',
      'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
    ],
    ['may not connect', 'REVOKE CONNECT ON $database FROM PUBLIC', 'GRANT CONNECT ON $database TO PUBLIC'],
  ])('are not granted to a role, which they would not restrict, that %s', async (reason, make, unmake) => {
    const name = `DATABASE "${new URL(database.url).pathname.slice(1)}"`;
    const run = (sql: string) =>
      superuser.query(
        sql.replace('$role', names.role).replace('$owner', names.owner).replace('$database', name),
      );
    await run(make);
    await expect(grant({ things: 'SELECT' })).rejects.toThrow(reason);
    await run(unmake);
    await grant({ things: 'SELECT' });
  });
});

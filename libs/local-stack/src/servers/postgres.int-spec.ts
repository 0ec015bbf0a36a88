import { Client } from 'pg';
import { isPortFree } from '../ports/free-ports.js';
import { startPostgres, type PostgresServer } from './postgres.js';

async function query<Row extends object>(server: PostgresServer, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The processes of the one that was killed may take a moment to end. */
async function restarted(server: PostgresServer): Promise<void> {
  await server.restart().catch(() => restarted(server));
}

describe('startPostgres', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(() => server.stop());

  it('has pg_trgm, and takes letters of every script for letters', async () => {
    await query(server, 'CREATE EXTENSION pg_trgm');
    const [row] = await query<{ found: boolean }>(server, `SELECT show_trgm('김민수') <> '{}' AS found`);
    expect(row?.found).toBe(true);
  });

  it('keeps what was committed over a restart', async () => {
    await query(server, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await server.restart();
    expect(await query(server, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('keeps what was committed the moment before it was killed', async () => {
    await query(server, 'CREATE TABLE committed (n integer)');
    await query(server, 'INSERT INTO committed VALUES (1)');
    server.kill('SIGKILL');
    await server.exited;
    await restarted(server);
    expect(await query(server, 'SELECT n FROM committed')).toEqual([{ n: 1 }]);
  });

  it('leaves nothing when it is stopped, sessions or not', async () => {
    const other = await startPostgres();
    const session = new Client({ connectionString: other.url() });
    session.on('error', () => undefined);
    await session.connect();
    await other.stop();
    expect(await isPortFree(other.port)).toBe(true);
    expect(() => process.kill(other.pid, 0)).toThrow('ESRCH');
  });
});

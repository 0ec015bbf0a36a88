import { restartPostgres, runSql } from '#testing';
import { Client } from 'pg';
import { isPortFree } from './ports.js';
import { startPostgres, type PostgresServer } from './postgres.js';

describe('startPostgres', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(() => server.stop());

  it('keeps what was committed the moment before it was killed', async () => {
    await runSql(server.url(), 'CREATE TABLE committed (n integer)');
    await runSql(server.url(), 'INSERT INTO committed VALUES (1)');
    server.kill('SIGKILL');
    await server.exited;
    await restartPostgres(server);
    expect(await runSql(server.url(), 'SELECT n FROM committed')).toEqual([{ n: 1 }]);
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

import { createTestDatabase, runSql, type TestDatabase } from '#testing';
import { DataSource } from 'typeorm';
import { mapDatabaseError } from './failures.js';
import { postgresOptions } from './postgres.js';
import { TransactionRunner } from './transaction-runner.js';

let database: TestDatabase;
let source: DataSource;

afterEach(async () => {
  await source.destroy();
  await database.drop();
});

/** New sessions can only read, or can write: as if the address led to a standby, or to the primary. */
async function letSessionsWrite(can: boolean): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  const alter = `ALTER DATABASE ${name} SET default_transaction_read_only = ${!can}`;
  await runSql(database.url, 'SET default_transaction_read_only = off', alter);
}

it.each([false, true])(
  'a connection to a server that only reads is not used again: writes succeed once new connections can (pipelined: %s)',
  async (pipeline) => {
    database = await createTestDatabase({ name: 'billing', migrations: [] });
    await runSql(database.url, 'CREATE TABLE written (number integer)');
    const options = {
      url: database.url,
      applicationName: 'writer',
      poolSize: 1,
    };
    source = await new DataSource(postgresOptions({ ...options, pipeline })).initialize();
    const transactions = new TransactionRunner(source);
    const write = () =>
      transactions.run(({ query }) => query('insert', 'INSERT INTO written VALUES ($1)', [1]));
    await letSessionsWrite(false);
    // Connects again, to the server that only reads.
    await source.destroy();
    await source.initialize();
    const failure = await write().catch(mapDatabaseError);
    expect(failure).toMatchObject({ code: 'unavailable' });
    await letSessionsWrite(true);
    await write();
    const written = await runSql(database.url, 'SELECT FROM written');
    expect(written).toHaveLength(1);
  },
);

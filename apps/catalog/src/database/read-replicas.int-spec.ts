import { type PostgresServer, startPostgres } from '#local-stack';
import { restartPostgres } from '#testing';
import { DataSource } from 'typeorm';
import { catalogDataSourceOptions } from './data-source.js';
import { ReadReplicas } from './read-replicas.js';

const whereSql = 'SELECT pg_is_in_recovery() AS "onReplica"';

let primary: PostgresServer;
let standby: PostgresServer;
let dataSource: DataSource;
let now: number;
let replicas: ReadReplicas;

beforeAll(async () => {
  primary = await startPostgres();
  standby = await startPostgres({ standbyOf: primary });
  const options = catalogDataSourceOptions({ url: primary.url(), replicaUrls: [standby.url()], poolSize: 2 });
  dataSource = await new DataSource(options).initialize();
}, 60_000);
afterAll(async () => {
  await dataSource?.destroy();
  await standby?.stop();
  await primary?.stop();
});
beforeEach(() => {
  now = 0;
  replicas = new ReadReplicas(dataSource);
  replicas.now = () => now;
});

it('reads come from a replica, and from the primary for a while after the replica failed', async () => {
  expect(await read(whereSql)).toEqual([{ onReplica: true }]);
  standby.kill('SIGKILL');
  await standby.exited;
  expect(await read(whereSql)).toEqual([{ onReplica: false }]);
  await restartPostgres(standby);
  expect(await read(whereSql)).toEqual([{ onReplica: false }]);
  now = 5_000;
  expect(await read(whereSql)).toEqual([{ onReplica: true }]);
});

it('what has to be the latest is read from the primary', async () => {
  expect(await replicas.readPrimary(({ query }) => query('read', whereSql))).toEqual([{ onReplica: false }]);
});

it('an invalid statement fails with its reason, wherever it ran', async () => {
  await expect(read('SELECT 1 / 0')).rejects.toThrow('division by zero');
  expect(await read(whereSql)).toEqual([{ onReplica: true }]);
});

it('reads come from the primary when there are no replicas', async () => {
  const alone = await new DataSource(
    catalogDataSourceOptions({ url: primary.url(), poolSize: 1 }),
  ).initialize();
  expect(await new ReadReplicas(alone).read(({ query }) => query('where', whereSql))).toEqual([
    { onReplica: false },
  ]);
  await alone.destroy();
});

function read(sql: string): Promise<unknown[]> {
  return replicas.read(({ query }) => query('read', sql));
}

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '#dev';
import { runSql, until } from '#testing';
import { walDelaySql } from './ledger-gauges.js';

jest.setTimeout(60_000);

let postgres: PostgresServer | undefined;
afterEach(() => postgres?.stop());

async function start(settings: Readonly<Record<string, string>>): Promise<void> {
  postgres = await startPostgres({ settings });
}

const sql = (...statements: string[]) => runSql<{ value: number }>(postgres?.url() ?? '', ...statements);
const delay = async (): Promise<number | undefined> => (await sql(walDelaySql))[0]?.value;
const completeFile = () => sql(`SELECT pg_logical_emit_message(true, '', '')`, 'SELECT pg_switch_wal()');

it('there is no delay where WAL is not archived', async () => {
  await start({});
  expect(await delay()).toBeUndefined();
});

it('there is none once every complete file has arrived', async () => {
  await start({ archive_mode: 'on', archive_command: 'true' });
  for (let file = 0; file < 3; file += 1) {
    await completeFile();
    await until(async () => (await delay()) === 0);
  }
});

it('it grows while archiving hangs, and ends when it works again', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'archiving-'));
  const works = join(directory, 'works');
  chmodSync(directory, 0o755);
  await start({ archive_mode: 'on', archive_command: `until test -e ${works}; do sleep 0.1; done` });
  await completeFile();
  const first = await delay();
  expect(first).toBeGreaterThan(0);
  expect(await delay()).toBeGreaterThan(first ?? 0);
  writeFileSync(works, '');
  await until(async () => (await delay()) === 0);
  rmSync(directory, { recursive: true });
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { runOrThrow, type Stack } from '#dev';
import { type DeployedLayout, runSql, startDeployed } from '#testing';
import { Redis } from 'ioredis';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { api } from '../support/public-api.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';
import { writeProgram } from './support/stub-program.js';

const patienceMs = 30_000;

let directory: string;
let layout: DeployedLayout;
let stack: Stack | undefined;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'deployed-'));
  layout = await startDeployed();
  stack = await startStack();
}, 180_000);

afterAll(async () => {
  await stack?.stop();
  await layout?.stop();
  rmSync(directory, { recursive: true, force: true });
});

function startStack(): Promise<Stack> {
  return startOperatedStack({
    ...layout.options,
    dataDirectory: join(directory, 'stack'),
    environment: { PENDING_TIMEOUT_MS: '2000', SWEEP_PERIOD_MS: '200' },
  });
}

// What services do as these roles and users: `npm run test:e2e -- --target deployed`.
describe('a role of a service', () => {
  // More statements: grants.int-spec.ts of either service.
  it.each([
    ['billing', 'DELETE FROM ledger_entries'],
    ['billing', 'CREATE TEMPORARY TABLE own ()'],
    ['billing', 'SET ROLE billing_owner'],
    ['billing', 'CREATE DATABASE own'],
    ['billing', 'CREATE ROLE own'],
    ['catalog', 'TRUNCATE creators'],
    ['catalog', 'SET ROLE catalog_owner'],
  ] as const)('%s is refused: %s', async (service, statement) => {
    await expect(runSql(layout.databases.runtime[service], statement)).rejects.toThrow(
      /permission denied|must be owner/,
    );
  });

  it.each([
    ['catalog', 'billing'],
    ['billing', 'catalog'],
  ] as const)("%s can't enter the database %s, nor any other", async (service, other) => {
    for (const database of [other, 'postgres', 'template1']) {
      for (const urls of [layout.databases.runtime, layout.databases.owner]) {
        const url = new URL(urls[service]);
        url.pathname = database;
        await expect(runSql(url.toString(), 'SELECT')).rejects.toThrow('permission denied for database');
      }
    }
  });

  it('has the password of its secret', async () => {
    const passwords = await runSql(
      layout.postgres.url(),
      `SELECT rolname AS name, rolpassword LIKE 'SCRAM-SHA-256$%' AS "isKept" FROM pg_authid
       WHERE rolname ~ '^(catalog|billing)' ORDER BY rolname`,
    );
    expect(passwords).toEqual(
      ['billing', 'billing_owner', 'catalog', 'catalog_owner'].map((name) => ({ name, isKept: true })),
    );
  });
});

describe('a user of Redis', () => {
  it.each([
    ['catalog', 'SSUBSCRIBE', 'rpc:reply:billing:gateway:1'],
    ['catalog', 'SSUBSCRIBE', 'rpc:reply:catalog:gateway:1'],
    ['catalog', 'SSUBSCRIBE', 'rpc:broadcast:billing.key_changed'],
    ['catalog', 'SUBSCRIBE', 'rpc:reply:billing:gateway:1'],
    ['catalog', 'PSUBSCRIBE', '*'],
    ['catalog', 'SPUBLISH', 'rpc:reply:billing:gateway:1', 'forged'],
    ['catalog', 'SPUBLISH', 'rpc:broadcast:billing.key_changed', 'forged'],
    ['catalog', 'BLMPOP', '1', '1', 'rpc:{billing}:gateway:requests', 'RIGHT'],
    ['catalog', 'ZADD', 'rpc:{billing}:replicas', '1', 'forged'],
    ['catalog', 'LPUSH', 'rpc:{catalog}:gateway:requests', 'forged'],
    [
      'catalog',
      'EVAL',
      "return redis.call('LPUSH', KEYS[1], 'forged')",
      '1',
      'rpc:{catalog}:gateway:requests',
    ],
    ['catalog', 'EVAL', "return redis.call('LLEN', 'rpc:{billing}:gateway:requests')", '0'],
    ['billing', 'SSUBSCRIBE', 'rpc:reply:billing:gateway:1'],
    ['billing', 'SSUBSCRIBE', 'rpc:reply:catalog:gateway:1'],
    ['billing', 'SPUBLISH', 'rpc:reply:catalog:gateway:1', 'forged'],
    ['billing', 'BLMPOP', '1', '1', 'rpc:{catalog}:gateway:requests', 'RIGHT'],
    ['billing', 'LPUSH', 'rpc:{catalog}:gateway:requests', 'forged'],
    ['gateway', 'SPUBLISH', 'rpc:reply:billing:gateway:1', 'forged'],
    ['gateway', 'SPUBLISH', 'rpc:broadcast:billing.key_changed', 'forged'],
    ['gateway', 'BLMPOP', '1', '1', 'rpc:{billing}:gateway:requests', 'RIGHT'],
    ['gateway', 'LRANGE', 'rpc:{billing}:gateway:requests', '0', '-1'],
    ['gateway', 'LTRIM', 'rpc:{billing}:gateway:requests', '1', '0'],
    ['gateway', 'ZADD', 'rpc:{billing}:replicas', '1', 'forged'],
    ['gateway', 'DEL', 'rate-limit:1'],
    ['gateway', 'LPUSH', 'rpc:{billing}:website:requests', 'forged'],
    ['gateway', 'LPUSH', 'rpc:{billing}:replicas', 'forged'],
    ['gateway', 'SSUBSCRIBE', 'rpc:reply:billing:website:1'],
    ['website', 'LPUSH', 'rpc:{billing}:gateway:requests', 'forged'],
    ['website', 'LPUSH', 'rpc:{billing}:gateway:settlements', 'forged'],
    ['website', 'EVAL', "return redis.call('LPUSH', KEYS[1], 'forged')", '1', 'rpc:{billing}:replicas'],
    ['website', 'SSUBSCRIBE', 'rpc:reply:billing:gateway:1'],
    ['website', 'SSUBSCRIBE', 'rpc:broadcast:billing.key_changed'],
    ['website', 'SPUBLISH', 'rpc:reply:billing:website:1', 'forged'],
    ['website', 'BLMPOP', '1', '1', 'rpc:{billing}:website:requests', 'RIGHT'],
    ['website', 'ZADD', 'rpc:{billing}:replicas', '1', 'forged'],
    ['website', 'LRANGE', 'rate-limit:search:{key}', '0', '-1'],
    ['health', 'GET', 'any'],
    ...['catalog', 'billing', 'gateway', 'website', 'health'].flatMap((user) => [
      [user, 'PUBLISH', 'rpc:reply:billing:gateway:1', 'forged'],
      [user, 'KEYS', '*'],
      [user, 'SCAN', '0'],
      [user, 'FLUSHALL'],
      [user, 'CONFIG', 'GET', '*'],
      [user, 'ACL', 'LIST'],
      [user, 'MONITOR'],
      [user, 'CLIENT', 'LIST'],
      [user, 'PUBSUB', 'SHARDCHANNELS'],
      [user, 'SCRIPT', 'FLUSH'],
      [user, 'SHUTDOWN'],
    ]),
  ])('%s is refused: %s %s', async (user, command = '', ...words) => {
    await expect(redisCommand(layout.redisUrl(user), command, words)).rejects.toThrow(
      /NOPERM|No permissions|can't (run|access)/i,
    );
  });

  it('is required to connect', async () => {
    await expect(redisCommand(layout.redis.url, 'PING')).rejects.toThrow('NOAUTH');
  });
});

async function redisCommand(url: string, command: string, words: string[] = []): Promise<unknown> {
  const redis = new Redis(url, { enableReadyCheck: false, lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    return await redis.call(command, words);
  } finally {
    redis.disconnect();
  }
}

it('a backup restores everything after both databases were lost, by the steps of docs/operations/backup.md', async () => {
  const catalog = new SuiteCatalog();
  const [kept, deleted] = [catalog.record('kept'), catalog.record('deleted')];
  await catalog.importVisible([kept, deleted]);
  const account = await createFundedAccount({ credits: 100, keys: 1 });
  for (let call = 0; call < 5; call++) await profile(kept.slug, account.key);
  const entries = await settledLedgers([account.id], patienceMs);
  const before = await admin.balance(account.id);

  const [backUp = '', restore = ''] = stepsWithCompose();
  await shell(backUp);
  await profile(deleted.slug, account.key);
  await admin.call('DELETE', `/creators/${deleted.slug}`);
  await stack?.stop();
  const backup = readdirSync(directory).find((name) => name.startsWith('creator-search-'));
  await shell(`${functionOf(backUp)}\nbackup=${backup ?? ''}\n${restore}`);
  // The last step: it runs the migration jobs, too.
  stack = await startStack();

  expect(await admin.audit()).toMatchObject({ ok: true, discrepancies: [] });
  expect(await settledLedgers([account.id], patienceMs)).toEqual(entries);
  expect(await admin.balance(account.id)).toBe(before);
  // The copies of the index on disk still lack the creator that was deleted after the backup.
  expect((await profile(deleted.slug, account.key)).credits_remaining).toBe(before - 1);
  const found = await api.search({ country: catalog.country }, account.key);
  expect(found.body.total).toBe(2);
  const logs = join(directory, 'stack/logs');
  const logged = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  expect(logged.join('')).not.toMatch(/permission denied|must be owner|NOPERM/);
}, 180_000);

/** The commands that docs/operations/backup.md gives for the compose file: for a backup, and for restoring it. */
function stepsWithCompose(): string[] {
  const [, section = ''] = readFileSync('docs/operations/backup.md', 'utf8').split(
    '### With the compose file\n',
  );
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) => commands);
}

/** What the commands for restoring have from those before them. */
function functionOf(commands: string): string {
  return /^in_postgres\(\) \{.*?^\}/ms.exec(commands)?.[0] ?? '';
}

/**
 * Runs commands as an operator does, beside the directory `deploy`. What they would do in the container of PostgreSQL is done
 * to the server of this test; starting and stopping services is the test's own business.
 */
async function shell(commands: string): Promise<void> {
  const programs = mkdtempSync(join(directory, 'programs-'));
  const initdb = '/docker-entrypoint-initdb.d';
  writeProgram(join(programs, 'docker'), [
    'case "$2" in stop | up) exit ;; exec) shift 2 ;; *) echo "not known here: $*" >&2; exit 1 ;; esac',
    'while [ "$1" != postgres ]; do if [ "$1" = -e ]; then export "$2"; shift; fi; shift; done',
    'shift',
    `exec "\${@/#${initdb.replaceAll('/', '\\/')}/${resolve('deploy/compose').replaceAll('/', '\\/')}}"`,
  ]);
  if (!existsSync(join(directory, 'deploy'))) symlinkSync(resolve('deploy'), join(directory, 'deploy'));
  await runOrThrow('bash', ['-euo', 'pipefail', '-c', `cd ${directory}\n${commands}`], {
    env: { ...layout.environment, PATH: `${programs}${delimiter}${layout.environment.PATH ?? ''}` },
  });
}

async function profile(slug: string, key: string) {
  const { status, body } = await api.profile(slug, key);
  expect(status).toBe(200);
  return body;
}

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { runOrThrow, type Stack } from '@app/local-stack';
import { type DeployedLayout, startDeployed } from '@app/testing';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { api } from '../support/public-api.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';

const settledWithinMs = 30_000;
const files = ['billing.dump', 'catalog.dump'];
const catalog = new SuiteCatalog();
const [kept, deleted] = [catalog.record('kept'), catalog.record('deleted')];

let directory: string;
let layout: DeployedLayout;
let stack: Stack | undefined;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'backup-'));
  layout = await startDeployed();
  stack = await startStack();
}, 120_000);

afterAll(async () => {
  await stack?.stop();
  await layout?.stop();
  rmSync(directory, { recursive: true, force: true });
});

it('a backup restores everything after both databases were lost, by the steps of docs/operations.md', async () => {
  await catalog.importVisible([kept, deleted]);
  const account = await createFundedAccount({ credits: 100, keys: 1 });
  for (let call = 0; call < 5; call++) await profile(kept.slug, account);
  const entries = await settledLedgers([account.id], settledWithinMs);
  const before = await admin.balance(account.id);

  const [backUp = '', restore = ''] = stepsWithCompose();
  await shell(backUp);
  await profile(deleted.slug, account);
  await admin.call('DELETE', `/creators/${deleted.slug}`);
  await stack?.stop();
  const backup = readdirSync(directory).find((name) => name.startsWith('creator-search-'));
  await shell(`${functionOf(backUp)}\nbackup=${backup ?? ''}\n${restore}`);
  // The last step: it runs the migration jobs, too.
  stack = await startStack();

  expect(await admin.audit()).toMatchObject({ ok: true, discrepancies: [] });
  expect(await settledLedgers([account.id], settledWithinMs)).toEqual(entries);
  expect(await admin.balance(account.id)).toBe(before);
  // The copies of the index on disk still lack the creator that was deleted after the backup.
  expect((await profile(deleted.slug, account)).credits_remaining).toBe(before - 1);
  const found = await api.search({ country: catalog.country }, account.key);
  expect(found.body.total).toBe(2);
}, 180_000);

it('a restore never overwrites existing data', async () => {
  makeBackup('any');
  await expect(runScript('restore.sh', 'any')).rejects.toThrow('the database catalog is not empty');
});

describe("a backup that can't be made", () => {
  it.each(['CATALOG_DATABASE_URL', 'BILLING_DATABASE_URL'])(
    'names %s when it is not set',
    async (variable) => {
      for (const script of ['backup.sh', 'restore.sh']) {
        await expect(runScript(script, 'none', { [variable]: undefined })).rejects.toThrow(
          `${script}: ${variable} is not set`,
        );
      }
      expect(readdirSync(directory)).not.toContain('none');
    },
  );

  it.each([
    [
      'because pg_dump is older than the server, says what to install and',
      '14.11',
      'version 14, the server version',
    ],
    ['because pg_dump fails half-way', '99.0', 'half-way'],
  ])('%s leaves nothing behind', async (_why, version, reason) => {
    const PATH = `${pgDumpThatFails(version)}${delimiter}${layout.environment.PATH ?? ''}`;
    const left = readdirSync(directory);
    await expect(runScript('backup.sh', `by ${version}`, { PATH })).rejects.toThrow(reason);
    expect(readdirSync(directory)).toEqual(left);
  });

  it('is not written over another one', async () => {
    makeBackup('older');
    await expect(runScript('backup.sh', 'older')).rejects.toThrow('exists: name another directory');
    for (const file of files) expect(readFileSync(join(directory, 'older', file), 'utf8')).toBe('dump');
  });
});

function startStack(): Promise<Stack> {
  return startOperatedStack({ ...layout.options, dataDirectory: join(directory, 'stack') });
}

async function runScript(
  name: string,
  target: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<void> {
  await runOrThrow(resolve('deploy/backup', name), [join(directory, target)], {
    env: {
      ...layout.environment,
      CATALOG_DATABASE_URL: layout.databases.owner.catalog,
      BILLING_DATABASE_URL: layout.databases.owner.billing,
      ...environment,
    },
  });
}

/** What only looks like a backup. */
function makeBackup(name: string): void {
  mkdirSync(join(directory, name));
  for (const file of files) writeFileSync(join(directory, name, file), 'dump');
}

/** A directory for PATH, whose pg_dump says that it is of this version, and gives up in the midst of a file. */
function pgDumpThatFails(version: string): string {
  const programs = mkdtempSync(join(directory, 'programs-'));
  writeProgram(join(programs, 'pg_dump'), [
    `if [ "$1" = --version ]; then echo 'pg_dump (PostgreSQL) ${version}'; exit; fi`,
    'for word; do case $word in --file=*) echo half > "${word#--file=}" ;; esac; done',
    'echo "gave up half-way" >&2',
    'exit 1',
  ]);
  return programs;
}

/** The commands that docs/operations.md gives for the compose file: for a backup, and for restoring it. */
function stepsWithCompose(): string[] {
  const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split('### With the compose file\n');
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

function writeProgram(path: string, lines: readonly string[]): void {
  writeFileSync(path, ['#!/usr/bin/env bash', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
}

async function profile(slug: string, { key }: TestAccount) {
  const { status, body } = await api.profile(slug, key);
  expect(status).toBe(200);
  return body;
}

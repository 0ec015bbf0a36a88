import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readComposeFile } from './compose-file.fixture.js';

let directory: string;
beforeEach(() => (directory = join(mkdtempSync(join(tmpdir(), 'secrets-')), 'secrets')));
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

function makeSecrets(environment: Readonly<Record<string, string>> = {}): void {
  const env = { ...process.env, ...environment };
  execFileSync('deploy/compose/make-secrets.sh', [directory], { stdio: 'ignore', env });
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

it('makes every secret of the compose file', () => {
  makeSecrets();
  const needed = Object.values(readComposeFile().secrets).map(({ file }) => basename(file));
  expect(needed.filter((name) => !readdirSync(directory).includes(name))).toEqual([]);
});

it('lets their owner write them, and containers read them, and no one else enter the directory', () => {
  makeSecrets();
  expect(modeOf(directory)).toBe('700');
  const modes = readdirSync(directory).map((name) => modeOf(join(directory, name)));
  expect(new Set(modes)).toEqual(new Set(['644']));
});

it('keeps what was written into them', () => {
  makeSecrets();
  writeFileSync(join(directory, 'mail_url'), 'smtp://mail.example');
  const token = readFileSync(join(directory, 'admin_token'), 'utf8');
  makeSecrets();
  expect(readFileSync(join(directory, 'mail_url'), 'utf8')).toBe('smtp://mail.example');
  expect(readFileSync(join(directory, 'admin_token'), 'utf8')).toBe(token);
});

it('names the servers of the compose file, or those of an installation by hand', () => {
  const hostOf = (name: string) => new URL(readFileSync(join(directory, name), 'utf8').trim()).host;
  makeSecrets();
  expect([hostOf('billing_database_url'), hostOf('gateway_redis_url')]).toEqual([
    'postgres:5432',
    'redis:6379',
  ]);
  rmSync(directory, { recursive: true });
  makeSecrets({ POSTGRES_ADDRESS: 'db.example:5433', REDIS_ADDRESS: 'redis.example:6380' });
  expect([hostOf('catalog_migration_database_url'), hostOf('billing_redis_url')]).toEqual([
    'db.example:5433',
    'redis.example:6380',
  ]);
});

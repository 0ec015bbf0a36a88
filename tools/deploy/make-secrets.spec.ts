import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readComposeFile } from './compose-file.fixture.js';

const root = mkdtempSync(join(tmpdir(), 'secrets-'));
const directory = join(root, 'secrets');
afterAll(() => rmSync(root, { recursive: true }));

function makeSecrets(target: string, environment: Readonly<Record<string, string>> = {}): void {
  const env = { ...process.env, ...environment };
  execFileSync('deploy/compose/make-secrets.sh', [target], { stdio: 'ignore', env });
}

const read = (name: string, from = directory): string => readFileSync(join(from, name), 'utf8');
const hostOf = (name: string, from?: string): string => new URL(read(name, from).trim()).host;
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

beforeAll(() => makeSecrets(directory));

it('makes every secret of the compose file', () => {
  const needed = Object.values(readComposeFile().secrets).map(({ file }) => basename(file));
  expect(needed.filter((name) => !readdirSync(directory).includes(name))).toEqual([]);
});

it('lets their owner write them, and containers read them, and no one else enter the directory', () => {
  expect(modeOf(directory)).toBe('700');
  const modes = readdirSync(directory).map((name) => modeOf(join(directory, name)));
  expect(new Set(modes)).toEqual(new Set(['644']));
});

it('keeps what was written into them', () => {
  writeFileSync(join(directory, 'mail_url'), 'smtp://mail.example');
  const token = read('admin_token');
  makeSecrets(directory);
  expect([read('mail_url'), read('admin_token')]).toEqual(['smtp://mail.example', token]);
});

it('names the servers of the compose file, or those of an installation by hand', () => {
  expect([hostOf('billing_database_url'), hostOf('gateway_redis_url')]).toEqual([
    'postgres:5432',
    'redis:6379',
  ]);
  const byHand = join(root, 'by-hand');
  makeSecrets(byHand, { POSTGRES_ADDRESS: 'db.example:5433', REDIS_ADDRESS: 'redis.example:6380' });
  expect([hostOf('catalog_migration_database_url', byHand), hostOf('billing_redis_url', byHand)]).toEqual([
    'db.example:5433',
    'redis.example:6380',
  ]);
});

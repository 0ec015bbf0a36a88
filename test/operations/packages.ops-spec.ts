import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  freePort,
  freePorts,
  postgresClientsPath,
  type PostgresServer,
  type RedisServer,
  run,
  runOrThrow,
  startPostgres,
  startRedis,
} from '@app/local-stack';
import { eventually, runSql } from '@app/testing';
import { readUnit, unitOf, valueOf } from '../../tools/deploy/systemd.fixture.js';
import { codeBlocksOf } from '../support/code-blocks.js';
import { UnitManager } from './support/unit-manager.js';

// Packing builds the tools, and services are started.
jest.setTimeout(180_000);

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const blocks = codeBlocksOf('docs/operations.md', 'Installing with systemd').map(({ code }) => code);
const [unpack = '', start = '', upgrade = '', back = ''] = blocks;
const [archive = ''] = codeBlocksOf('docs/operations.md', 'Archives of the ledger').map(({ code }) => code);
const services = ['gateway', 'catalog', 'billing'] as const;
const defaultPorts = ['3000', '3001', '9000', '9001', '9002'] as const;

/** Everything of this test is below it: /opt, /etc and what systemd keeps. */
const root = mkdtempSync(join(tmpdir(), 'packages-'));
const packages = join(root, 'packages');
const places = {
  '/opt/creator-search': 'opt',
  '/etc/creator-search': 'etc',
  '/etc/systemd/system': 'units',
  '/var/lib/creator-search': 'var',
};
const place = (text: string): string =>
  Object.entries(places).reduce((changed, [from, to]) => changed.replaceAll(from, join(root, to)), text);

const ports = new Map<string, string>();
const port = (usual: (typeof defaultPorts)[number]): string => ports.get(usual) ?? '';
let postgres: PostgresServer;
let redis: RedisServer;
let redisPort: number;
let shell: NodeJS.ProcessEnv;

const manager = new UnitManager(root, place, (unit) => {
  const internal = { gateway: '9000', catalog: '9001', billing: '9002' } as const;
  const service = services.find((name) => unit.endsWith(name));
  if (service === undefined) return {};
  const own = { INTERNAL_PORT: port(internal[service]) };
  return service === 'gateway' ? { ...own, PORT: port('3000'), ADMIN_PORT: port('3001') } : own;
});

/** The lines of the document, with our directories, ports and versions. */
async function runLines(script: string, to = version): Promise<string> {
  const here = place(script)
    .replaceAll('127.0.0.1:5432', `127.0.0.1:${postgres.port}`)
    .replaceAll('127.0.0.1:6379', `127.0.0.1:${redisPort}`)
    .replaceAll('PGHOST=127.0.0.1', `PGHOST=127.0.0.1 PGPORT=${postgres.port}`)
    .replaceAll(/:(9\d{3})\b/g, (_all, usual: string) => `:${ports.get(usual)}`)
    .replace(/^version=.*$/m, `version=${to}`)
    // No user is added to this machine.
    .replace(/^useradd .*$/m, '')
    .replaceAll(
      /(--(?:owner|group)=)(creator-search-\w+)/g,
      (_all, option: string, name: string) => `${option}${manager.userOf(name) ?? process.getuid?.()}`,
    );
  const PATH = `${shell.PATH}:${await postgresClientsPath()}`;
  return runOrThrow('bash', ['-euo', 'pipefail', '-c', here], {
    cwd: packages,
    env: { PATH, HOME: process.env.HOME },
  });
}

const program = join(root, 'cli/package');
/** A line of the command line as it was unpacked, with nothing but its own packages. */
function cli(...words: string[]): Promise<string> {
  const { bin } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  return runOrThrow(process.execPath, [join(program, bin['creator-search'] ?? ''), ...words], {
    cwd: join(root, 'cli'),
    env: {
      ADMIN_URL: `http://127.0.0.1:${port('3001')}`,
      ADMIN_TOKEN: readFileSync(join(root, 'etc/admin_token'), 'utf8').trim(),
    },
  });
}

beforeAll(async () => {
  // Users of their own have to enter it.
  chmodSync(root, 0o755);
  mkdirSync(join(root, 'units'));
  const free = await freePorts(defaultPorts.length);
  defaultPorts.forEach((usual, index) => ports.set(usual, String(free[index])));
  redisPort = await freePort();
  [postgres, shell] = await Promise.all([startPostgres(), manager.open()]);
  await runOrThrow(process.execPath, ['tools/task.mjs', 'package', '--output', packages]);
}, 180_000);

afterAll(async () => {
  await manager.close();
  await Promise.all([postgres?.stop(), redis?.stop()]);
  rmSync(root, { recursive: true, force: true });
});

it('packs the same bytes again', async () => {
  const again = join(root, 'again');
  await runOrThrow(process.execPath, ['tools/task.mjs', 'package', '--output', again]);
  const names = readdirSync(packages).sort();
  expect(names).toEqual([
    'SHA256SUMS',
    `creator-search-${version}.tar.gz`,
    `creator-search-cli-${version}.tgz`,
  ]);
  for (const name of names) {
    expect(readFileSync(join(again, name)).equals(readFileSync(join(packages, name)))).toBe(true);
  }
});

it('the documented lines install the package and start every unit, with the role and the secrets of its own', async () => {
  expect(blocks).toHaveLength(4);
  await runLines(unpack);
  // With the users that these lines write.
  redis = await startRedis({ port: redisPort, settings: { aclfile: join(root, 'etc/redis_users') } });
  await runLines(start);
  for (const service of ['catalog', 'billing']) {
    expect(manager.logOf(`creator-search-${service}-migrate`)).toContain(`grants to ${service}`);
  }
});

it('the command line needs only its own package, the address and the token, and a customer can search', async () => {
  mkdirSync(join(root, 'cli'));
  await runOrThrow('tar', [
    '-xzf',
    join(packages, `creator-search-cli-${version}.tgz`),
    '-C',
    join(root, 'cli'),
  ]);
  const { dependencies } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')) as {
    dependencies: object;
  };
  expect(Object.keys(dependencies)).toEqual(['class-validator', 'commander', 'csv-parse', 'stripe']);
  const copy = ['tools/images/copy-packages.mjs', join(program, 'dist'), join(program, 'node_modules')];
  await runOrThrow(process.execPath, copy);

  const help = await cli('--help');
  expect(help).toContain('creator-search accounts create');
  expect(help).not.toMatch(/npm|data-dir/);
  const { id } = JSON.parse(
    await cli('--json', 'accounts', 'create', '--name', 'Acme', '--email', 'ops@acme.example'),
  ) as { id: string };
  const { key } = JSON.parse(await cli('--json', 'keys', 'create', id, '--name', 'search')) as {
    key: string;
  };
  await cli('purchases', 'create', id, '--pack', 'trial', '--reference', 'first');
  const answer = await fetch(`http://127.0.0.1:${port('3000')}/api/public/v1/search`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ total: 0 });
  expect(await cli('audit')).toMatch(/^OK: /);
});

it('the documented lines switch archives on: the job writes what is due, and the statement shows it as before', async () => {
  const account = JSON.parse(
    await cli('--json', 'accounts', 'create', '--name', 'Old', '--email', 'ops@old.example'),
  ) as { id: string };
  const owner = readFileSync(join(root, 'etc/billing_migration_database_url'), 'utf8').trim();
  const lot = `INSERT INTO lots (id, account_id, pack, reference, credits, price_cents, purchased_at, expires_at, created_at)
    SELECT gen_random_uuid(), id, 'trial', 'of another time', 9, 1900, created_at, created_at + interval '30 days', created_at`;
  await runSql(
    owner,
    `UPDATE accounts SET created_at = created_at - interval '5 months' WHERE id = '${account.id}'`,
    `${lot} FROM accounts WHERE id = '${account.id}'`,
    `INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
     SELECT account_id, id, 'purchase', credits, created_at FROM lots WHERE account_id = '${account.id}'`,
    `INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
     SELECT account_id, id, 'expiry', -credits, expires_at FROM lots WHERE account_id = '${account.id}'`,
  );
  const before = await cli('ledger', 'export', account.id);
  const variables = join(root, 'etc/archives.env');
  writeFileSync(
    variables,
    readFileSync(variables, 'utf8').replace(/^LEDGER_ONLINE_MONTHS=.*$/m, 'LEDGER_ONLINE_MONTHS=3'),
  );

  await runLines(archive);
  const written = manager.logOf('creator-search-billing-archive');
  expect(written).toMatch(/^(\d{4}-\d\d: \d entries, \d+ bytes\n){2}$/);
  const files = [...written.matchAll(/^\d{4}-\d\d/gm)].map(([month]) => month);
  expect(readdirSync(join(root, 'var/archives')).sort()).toEqual(
    files.flatMap((month) => [`ledger-${month}.csv.gz`, `ledger-${month}.index.gz`]).sort(),
  );
  const page = await eventually(() => cli('ledger', 'export', account.id), 30_000);
  expect(page).toBe(before);
  expect(await cli('audit')).toMatch(/^OK: /);
});

it('a service that gets the role of the migrations refuses to start', async () => {
  const billing = 'creator-search-billing';
  await manager.stop(billing);
  const owner = join(root, 'etc/billing_migration_database_url');
  const started = await manager.start(billing, {
    BILLING_DATABASE_URL: readFileSync(owner, 'utf8').trim(),
    BILLING_DATABASE_URL_FILE: '',
  });
  await started.exited;
  expect(manager.logOf(billing)).toMatch(/^The role billing_owner owns the tables/m);
  await manager.start(billing);
});

it('the documented lines switch to another version and back, and every service stops within its limit', async () => {
  const next = '99.0.0';
  const folder = `creator-search-${next}`;
  // The same services as another version.
  const made = join(root, 'made');
  mkdirSync(made);
  await runOrThrow('tar', ['-xzf', join(packages, `creator-search-${version}.tar.gz`), '-C', made]);
  renameSync(join(made, `creator-search-${version}`), join(made, folder));
  await runOrThrow('tar', ['-czf', join(packages, `${folder}.tar.gz`), '-C', made, folder]);
  await runOrThrow('bash', ['-c', 'sha256sum *.tar.gz > SHA256SUMS'], { cwd: packages });

  manager.stops.length = 0;
  await runLines(upgrade, next);
  expect(readlinkSync(join(root, 'opt/current'))).toBe(folder);
  await runLines(back);
  expect(readlinkSync(join(root, 'opt/current'))).toBe(`creator-search-${version}`);

  const order = manager.stops.map(({ unit }) => unit.replace('creator-search-', ''));
  expect(order).toEqual(['billing', 'catalog', 'gateway', 'gateway', 'catalog', 'billing']);
  for (const { unit, tookMs, log } of manager.stops) {
    const limitSeconds = Number(valueOf(readUnit(`${unit}.service`), 'TimeoutStopSec'));
    expect(tookMs).toBeLessThan(limitSeconds * 1_000);
    expect(log.lastIndexOf('"msg":"stopped"')).toBeGreaterThan(log.lastIndexOf('"msg":"stopping"'));
  }
  expect(await cli('audit')).toMatch(/^OK: /);
});

/** Where systemd is installed, its own check of the units, with the program that they start in its place. */
it('systemd finds nothing wrong with the units', async () => {
  const directory = resolve('deploy/systemd');
  const found = await run('systemd-analyze', ['--version']);
  if (found.code !== 0) {
    process.stderr.write(
      '\nThe units are not checked by systemd: install systemd (Debian: apt-get install systemd).\n',
    );
    return;
  }
  const parts = [...services, 'catalog-migrate', 'billing-migrate', 'billing-archive'];
  const names = [...parts.map(unitOf), 'creator-search-billing-archive.timer'].map((name) =>
    join(directory, name),
  );
  const { code, output } = await run('systemd-analyze', ['verify', '--man=no', ...names], {
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${directory}:` },
  });
  expect({ code, output }).toEqual({ code: 0, output: '' });
});

import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { billingArchiveSpecs, billingSpecs } from '../../apps/billing/src/config/billing-config.js';
import { catalogSpecs } from '../../apps/catalog/src/catalog-config.js';
import { gatewaySpecs } from '../../apps/gateway/src/config/gateway-config.js';
import { websiteSpecs } from '../../apps/website/src/config/website-config.js';
import { interpolate, readComposeFile } from './compose-file.fixture.js';

const compose = readComposeFile();
const { redis } = compose.services;
const archive = readComposeFile('deploy/compose/archive.yml');
const services = Object.entries({
  ...compose.services,
  ...(archive.services['billing-archive'] && { 'billing-archive': archive.services['billing-archive'] }),
});
const volumes = { ...compose.volumes, ...archive.volumes };
/** Users of other images, which the images themselves set, if we don't. */
const usersOfImages: Readonly<Record<string, string>> = {
  prometheus: 'nobody',
  alertmanager: 'nobody',
  'node-exporter': 'nobody',
  grafana: '472',
  'otel-collector': '10001',
};

it.each(services)(
  'the container of %s has no rights, writes only to its volumes, and has a bounded log',
  (name, service) => {
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      read_only: true,
      security_opt: expect.arrayContaining(['no-new-privileges:true']) as string[],
      logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
    });
    // The program of its image has this one, and can't be started without.
    expect(service.cap_add).toEqual(name === 'front' ? ['NET_BIND_SERVICE'] : undefined);
    expect(service).not.toHaveProperty('privileged');
    if (!service.build) expect(service.user ?? usersOfImages[name]).toMatch(/^(?!root|0)/);
    const sources = (service.volumes ?? []).map((volume) => /^(.*?):/.exec(volume)?.[1] ?? 'unnamed');
    expect(sources.filter((source) => !source.startsWith('./') && !(source in volumes))).toEqual([]);
    expect(service.image).toMatch(
      /^\$\{REGISTRY:-creator-search\}\/[a-z]+:\$\{VERSION:-local\}$|:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/,
    );
  },
);

it('only the front and, on this machine, Alertmanager and Grafana can be reached', () => {
  const published = services.flatMap(([name, { ports }]) => (ports ? [[name, ports]] : []));
  expect(Object.fromEntries(published)).toEqual({
    front: ['80:80', '443:443', '443:443/udp'],
    alertmanager: ['127.0.0.1:${ALERTMANAGER_PORT:-9093}:9093'],
    grafana: ['127.0.0.1:${GRAFANA_PORT:-3003}:3000'],
  });
});

it('what holds messages or metrics reaches nothing outside; of data only backups leave the machine', () => {
  const isInside = (network: string): boolean => compose.networks[network]?.internal === true;
  const reaching = services.filter(([, { networks }]) => !networks.every(isInside)).map(([name]) => name);
  expect(reaching.sort()).toEqual([
    ...['alertmanager', 'backup', 'billing', 'front', 'grafana', 'otel-collector', 'postgres', 'website'],
  ]);
});

it('Grafana is read-only: no one can log in, not even an admin with a known password', () => {
  expect(compose.services.grafana?.environment).toMatchObject({
    GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
    GF_AUTH_BASIC_ENABLED: 'false',
    GF_AUTH_DISABLE_LOGIN_FORM: 'true',
    GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
  });
});

/** What the image or the file itself decides, and what is only for development. */
const fixed = [
  ...['INTERNAL_HOST', 'INTERNAL_PORT', 'HOST', 'PORT', 'ADMIN_HOST', 'ADMIN_PORT', 'LISTEN_FDS', 'NODE_ENV'],
  ...['SITE_HOST', 'SITE_PORT'],
  ...['TLS_CERT_FILE', 'TLS_KEY_FILE', 'CATALOG_DIRECT_URL'],
  'STRIPE_API_URL',
];

it.each([
  ['gateway', gatewaySpecs],
  ['website', websiteSpecs],
  ['catalog', catalogSpecs],
  ['billing', billingSpecs],
  ['billing-archive', billingArchiveSpecs],
])('every variable of %s can be set, its secrets as files', (name, specs: object) => {
  const { environment = {}, secrets = [] } = Object.fromEntries(services)[name] ?? {};
  const missing = Object.keys(specs).filter(
    (variable) =>
      !fixed.includes(variable) && !(variable in environment) && !(`${variable}_FILE` in environment),
  );
  expect(missing).toEqual([]);
  const files = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
  const mounted = secrets.flatMap((secret) => (typeof secret === 'string' ? [`/run/secrets/${secret}`] : []));
  expect(files.map(([, path]) => path).sort()).toEqual(mounted.sort());
});

it.each([
  ['nothing', {}, 'https://localhost'],
  ['DOMAIN', { DOMAIN: 'creators.example' }, 'https://creators.example'],
])(
  'with %s set, links, mails and forms have the origin that the front serves',
  (_what, variables, origin) => {
    const of = (service: string, name: string) =>
      interpolate(compose.services[service]?.environment?.[name] ?? '', variables);
    const sites = ['gateway', 'website', 'billing', 'catalog'].map((service) => of(service, 'SITE_URL'));
    const apis = ['gateway', 'website'].map((service) => of(service, 'PUBLIC_URL'));
    expect(new Set([...sites, ...apis, `https://${of('front', 'DOMAIN')}`])).toEqual(new Set([origin]));
  },
);

it('every service can have more replicas, and gateways and websites take the address of a caller from the front', () => {
  for (const name of ['gateway', 'website', 'catalog', 'billing']) {
    expect(compose.services[name]?.deploy?.replicas).toBe(`\${${name.toUpperCase()}_REPLICAS:-1}`);
  }
  for (const name of ['gateway', 'website']) {
    expect(interpolate(compose.services[name]?.environment?.TRUST_PROXY ?? '')).toBe('1');
  }
});

it('the roll-out in docs/operations/updating.md migrates, then replaces billing, the catalog, the gateway and the website', () => {
  const [, section = ''] = readFileSync('docs/operations/updating.md', 'utf8').split('\n## With compose\n');
  const [rollOut = '', back = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code);
  const found = (code: string, line: RegExp) => [...code.matchAll(line)].map(([, name]) => name);
  const replaced = found(rollOut, /^replace (\w+)$/gm);
  expect(replaced).toEqual(['billing', 'catalog', 'gateway', 'website']);
  const migrations = found(rollOut, /^docker compose run --rm --no-deps (\S+)$/gm);
  expect(migrations.toSorted()).toEqual(['billing-migrate', 'catalog-migrate']);
  expect(rollOut.indexOf('replace billing')).toBeGreaterThan(rollOut.lastIndexOf('run --rm'));
  // Some versions of Compose record other dependencies with --no-deps, and recreate such a container at the next `up`.
  const [, replace = ''] = /^replace\(\) \{\n(.*?)\n\}/ms.exec(rollOut) ?? [];
  expect(replace).toContain('docker compose up --detach --wait --no-recreate ');
  expect(replace).not.toContain('--no-deps');
  expect(rollOut).toMatch(
    /^docker compose rm --force billing-migrate catalog-migrate .*\ndocker compose run /m,
  );
  expect(found(back, /^replace (\w+)$/gm)).toEqual(replaced.toReversed());
  expect(back).not.toContain('migrate');
});

it('Redis refuses writes before its container has no memory left, and evicts nothing', () => {
  const { command = [] } = redis ?? {};
  const setting = (name: string) => command[command.indexOf(`--${name}`) + 1];
  expect(setting('maxmemory-policy')).toBe('noeviction');
  expect(redis).toMatchObject({ deploy: { resources: { limits: { memory: '1G' } } } });
  expect(Number.parseInt(setting('maxmemory') ?? '', 10)).toBeLessThan(700);
});

it('PostgreSQL archives as elsewhere, and only it and its backups know the passphrase', () => {
  const conf = readFileSync('deploy/backup/postgresql.conf', 'utf8');
  const settings = [...conf.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name, value]) => `${name}=${value}`);
  expect(compose.services.postgres?.command).toEqual(expect.arrayContaining(settings));
  expect(compose.services.backup?.volumes).toContain('postgres:/var/lib/postgresql/data:ro');
  const knowing = services.filter(([, { secrets }]) =>
    JSON.stringify(secrets ?? []).includes('backup_repository'),
  );
  expect(knowing.map(([name]) => name).sort()).toEqual(['backup', 'postgres']);
});

describe('make-secrets.sh', () => {
  const root = mkdtempSync(join(tmpdir(), 'secrets-'));
  const directory = join(root, 'secrets');
  const makeSecrets = (target: string, environment: Readonly<Record<string, string>> = {}): void => {
    const env = { ...process.env, ...environment };
    execFileSync('deploy/compose/make-secrets.sh', [target], { stdio: 'ignore', env });
  };
  const read = (name: string, from = directory): string => readFileSync(join(from, name), 'utf8').trim();
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  beforeAll(() => makeSecrets(directory));
  afterAll(() => rmSync(root, { recursive: true }));

  it('makes every secret of the compose file, for its owner and the containers', () => {
    const needed = Object.values(compose.secrets).map(({ file }) => basename(file));
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(needed));
    expect(modeOf(directory)).toBe('700');
    for (const name of readdirSync(directory)) expect(modeOf(join(directory, name))).toBe('644');
  });

  it('keeps what was written into them', () => {
    writeFileSync(join(directory, 'mail_url'), 'smtp://mail.example');
    const token = read('admin_token');
    makeSecrets(directory);
    expect([read('mail_url'), read('admin_token')]).toEqual(['smtp://mail.example', token]);
  });

  it('names the servers of the compose file, or those of an installation by hand', () => {
    const byHand = join(root, 'by-hand');
    makeSecrets(byHand, { POSTGRES_ADDRESS: 'db.example:5433', REDIS_ADDRESS: 'redis.example:6380' });
    const hostsIn = (from: string) =>
      ['billing_database_url', 'gateway_redis_url'].map((name) => new URL(read(name, from)).host);
    expect(hostsIn(directory)).toEqual(['postgres:5432', 'redis:6379']);
    expect(hostsIn(byHand)).toEqual(['db.example:5433', 'redis.example:6380']);
  });

  it.each([
    ['', false],
    ['2.25.9', false],
    ['2.26.1-4', true],
    ['v5.0.1', true],
  ])('with version "%s" of Docker Compose it goes on: %s', (version, goesOn) => {
    const here = mkdtempSync(join(root, 'compose-'));
    copyFileSync('deploy/compose/make-secrets.sh', join(here, 'make-secrets.sh'));
    writeFileSync(join(here, 'docker'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${here}:${process.env.PATH}` };
    const { status, stderr } = spawnSync(join(here, 'make-secrets.sh'), { env, encoding: 'utf8' });
    expect(existsSync(join(here, 'secrets', 'admin_token'))).toBe(goesOn);
    expect(status).toBe(goesOn ? 0 : 1);
    if (!goesOn) expect(stderr).toContain('needs Docker Compose 2.26.0 or later');
  });
});

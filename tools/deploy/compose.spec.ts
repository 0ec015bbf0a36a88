import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { billingArchiveSpecs, billingSpecs } from '../../apps/billing/src/config/billing-config.js';
import { catalogSpecs } from '../../apps/catalog/src/catalog-config.js';
import { gatewaySpecs } from '../../apps/gateway/src/config/gateway-config.js';
import { websiteSpecs } from '../../apps/website/src/config/website-config.js';
import { readComposeFile } from '../testing/compose-file.js';

const compose = readComposeFile('docker-compose.yml');
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
});

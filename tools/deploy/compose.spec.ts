import { readFileSync } from 'node:fs';
import { billingArchiveSpecs, billingSpecs } from '../../apps/billing/src/config/billing-config.js';
import { catalogSpecs } from '../../apps/catalog/src/catalog-config.js';
import { gatewaySpecs } from '../../apps/gateway/src/config/gateway-config.js';
import { interpolate, readComposeFile } from './compose-file.fixture.js';

const compose = readComposeFile();
const { front } = readComposeFile('deploy/compose/front.yml').services;
const archive = readComposeFile('deploy/compose/archive.yml');
const { 'billing-archive': archiveJob } = archive.services;
const services = Object.entries({
  ...compose.services,
  ...(front && { front }),
  ...(archiveJob && { 'billing-archive': archiveJob }),
});
const volumes = { ...compose.volumes, ...archive.volumes };
/** Of others, whose users the images themselves set, if we don't. */
const usersOfImages: Readonly<Record<string, string>> = {
  prometheus: 'nobody',
  grafana: '472',
  'otel-collector': '10001',
};

function isInternal(network: string): boolean {
  return compose.networks[network]?.internal === true;
}

describe.each(services)('the container of %s', (name, service) => {
  it("runs without root's rights and can't get them", () => {
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.cap_add ?? []).toEqual([]);
    expect(service.privileged ?? false).toBe(false);
    expect(service.security_opt).toContain('no-new-privileges:true');
    if (!service.build) expect(service.user ?? usersOfImages[name]).toMatch(/^(?!root|0)/);
  });

  it('writes only where a volume or a tmpfs is named', () => {
    expect(service.read_only).toBe(true);
  });

  it('leaves no unnamed volume behind, however often it is scaled or recreated', () => {
    const sources = (service.volumes ?? []).map((volume) => {
      expect(volume).toContain(':');
      return volume.split(':')[0] ?? '';
    });
    const unnamed = sources.filter((source) => !source.startsWith('./') && !(source in volumes));
    expect(unnamed).toEqual([]);
  });

  it('has a bounded log', () => {
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
  });

  it('runs one of our images, or a third-party image of a full version', () => {
    if (service.build) {
      expect(service.image).toMatch(/^\$\{REGISTRY:-creator-search\}\/[a-z]+:\$\{VERSION:-local\}$/);
    } else expect(service.image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
  });
});

it('every image that declares a volume has a named one in its place', () => {
  const declared = { postgres: '/var/lib/postgresql/data', redis: '/data', prometheus: '/prometheus' };
  for (const [name, path] of Object.entries(declared)) {
    expect(compose.services[name]?.volumes).toContain(`${name}:${path}`);
  }
});

it('only the gateway and, on this machine, the admin port and Grafana can be reached', () => {
  const published = Object.fromEntries(
    services.flatMap(([name, { ports }]) => (ports ? [[name, ports]] : [])),
  );
  const gateways = ['${PUBLIC_PORT:-3000}:3000', '127.0.0.1:${ADMIN_PORT:-3001}:3001'];
  expect(published).toEqual({
    gateway: gateways,
    // In the place of the gateways'.
    front: gateways,
    grafana: ['127.0.0.1:${GRAFANA_PORT:-3002}:3000'],
  });
});

it('what holds data, messages or metrics reaches nothing outside', () => {
  const reaching = services.filter(([, { networks }]) => !networks.every(isInternal)).map(([name]) => name);
  expect(reaching.sort()).toEqual(['billing', 'front', 'gateway', 'grafana', 'otel-collector']);
});

it('the collector receives the traces of the services and can send them to an exporter outside', () => {
  const { networks = [] } = compose.services['otel-collector'] ?? {};
  expect(networks).toContain('messages');
  expect(networks.some((network) => !isInternal(network))).toBe(true);
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
  ...['TLS_CERT_FILE', 'TLS_KEY_FILE', 'INDEX_DIRECTORY', 'CATALOG_DIRECT_URL'],
  'STRIPE_API_URL',
];

it.each([
  ['gateway', gatewaySpecs],
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
  expect(files.map(([, path]) => path).sort()).toEqual(
    secrets.map((secret) => `/run/secrets/${secret}`).sort(),
  );
});

it.each([
  ['nothing', {}, 'http://127.0.0.1:3000'],
  ['PUBLIC_PORT', { PUBLIC_PORT: '8080' }, 'http://127.0.0.1:8080'],
  ['PUBLIC_URL', { PUBLIC_PORT: '8080', PUBLIC_URL: 'https://creators.example' }, 'https://creators.example'],
])('with %s set, links, mails and forms have one origin', (_what, variables, origin) => {
  const origins = [
    compose.services.gateway?.environment?.PUBLIC_URL,
    compose.services.billing?.environment?.PUBLIC_URL,
    compose.services.catalog?.environment?.SITE_URL,
  ];
  expect(origins.map((value) => interpolate(value ?? '', variables))).toEqual([origin, origin, origin]);
});

it('the origin without any variable is the address that docs/operations/installing.md shows', () => {
  expect(readFileSync('docs/operations/installing.md', 'utf8')).toContain(
    'curl http://127.0.0.1:3000/api/public/v1/search',
  );
});

it('every service can have more replicas; those of the gateway are behind one port', () => {
  for (const name of ['gateway', 'catalog', 'billing']) {
    expect(compose.services[name]?.deploy?.replicas).toBe(`\${${name.toUpperCase()}_REPLICAS:-1}`);
  }
  expect(readFileSync('deploy/compose/front.yml', 'utf8')).toContain('ports: !reset []');
});

it('the proxy is healthy once calls reach a gateway, and calls none before its first check', () => {
  const proxy = readFileSync('deploy/compose/haproxy.cfg', 'utf8');
  const [, health = ''] = proxy.split('\nfrontend health\n');
  const setting = (name: string) => new RegExp(`^ *${name} (\\S+)`, 'm').exec(health)?.[1] ?? '';
  expect(front?.healthcheck?.test).toContain(`http://${setting('bind')}${setting('monitor-uri')}`);
  expect(health).toMatch(/monitor fail if .*nbsrv\(gateways\) eq 0/);
  expect(proxy).toMatch(/default-server check .*init-state down/);
});

it('a gateway behind the proxy drains for longer than the proxy needs to see it', () => {
  const proxy = readFileSync('deploy/compose/haproxy.cfg', 'utf8');
  const [, inter = '', fall = ''] = /default-server check .*inter (\d+)s fall (\d+)/.exec(proxy) ?? [];
  const { gateway } = readComposeFile('deploy/compose/front.yml').services;
  const drain = Number(interpolate(gateway?.environment?.DRAIN_MS ?? ''));
  expect(drain).toBeGreaterThan(Number(inter) * Number(fall) * 1000);
});

describe('the roll-out in docs/operations/updating.md', () => {
  const [, section = ''] = readFileSync('docs/operations/updating.md', 'utf8').split('\n## With compose\n');
  const [rollOut = '', back = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code);
  const replaced = (code: string) => [...code.matchAll(/^replace (\w+)$/gm)].map(([, name]) => name);

  it('migrates both databases, then replaces billing, the catalog and the gateway', () => {
    const migrations = [...rollOut.matchAll(/^docker compose run --rm --no-deps (\S+)$/gm)].map(
      ([, name]) => name,
    );
    const jobs = Object.entries(compose.services).filter(([, { command }]) =>
      command?.at(-1)?.endsWith('migrate.js'),
    );
    expect(migrations.toSorted()).toEqual(jobs.map(([name]) => name).toSorted());
    expect(replaced(rollOut)).toEqual(['billing', 'catalog', 'gateway']);
    expect(rollOut.indexOf('replace billing')).toBeGreaterThan(rollOut.lastIndexOf('run --rm'));
  });

  // Some versions of Compose record other dependencies with --no-deps, and recreate such a container at the next `up`.
  it('leaves the new replicas as the last `up` wants them, and starts no migration of the old version', () => {
    const [, replace = ''] = /^replace\(\) \{\n(.*?)\n\}/ms.exec(rollOut) ?? [];
    expect(replace).toContain('docker compose up --detach --wait --no-recreate ');
    expect(replace).not.toContain('--no-deps');
    expect(rollOut).toMatch(
      /^docker compose rm --force billing-migrate catalog-migrate .*\ndocker compose run /m,
    );
  });

  it('goes back in the other order, and migrates nothing', () => {
    expect(replaced(back)).toEqual(replaced(rollOut).toReversed());
    expect(back).not.toContain('migrate');
  });
});

it('Redis refuses writes before its container has no memory left, and evicts nothing', () => {
  const { command = [], deploy } = compose.services.redis ?? {};
  const setting = (name: string) => command[command.indexOf(`--${name}`) + 1];
  expect(setting('maxmemory-policy')).toBe('noeviction');
  expect(deploy?.resources?.limits?.memory).toBe('1G');
  expect(Number.parseInt(setting('maxmemory') ?? '', 10)).toBeLessThan(700);
});

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Service {
  readonly image: string;
  readonly build?: object;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly privileged?: boolean;
  readonly security_opt?: readonly string[];
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly deploy?: { readonly resources?: { readonly limits?: { readonly memory?: string } } };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, object | null>>;
}

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
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
    const unnamed = sources.filter((source) => !source.startsWith('./') && !(source in compose.volumes));
    expect(unnamed).toEqual([]);
  });

  it('has a bounded log', () => {
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
  });

  it('runs one of our images, or a third-party image of a full version', () => {
    if (service.build) expect(service.image).toMatch(/^creator-search\/[a-z]+:\$\{VERSION:-local\}$/);
    else expect(service.image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
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
  expect(published).toEqual({
    gateway: ['${PUBLIC_PORT:-3000}:3000', '127.0.0.1:${ADMIN_PORT:-3001}:3001'],
    grafana: ['127.0.0.1:${GRAFANA_PORT:-3002}:3000'],
  });
});

it('what holds data, messages or metrics reaches nothing outside', () => {
  const reaching = services.filter(([, { networks }]) => !networks.every(isInternal)).map(([name]) => name);
  expect(reaching.sort()).toEqual(['billing', 'gateway', 'grafana', 'otel-collector']);
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

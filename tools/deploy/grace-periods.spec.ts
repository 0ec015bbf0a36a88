import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readBillingConfig } from '../../apps/billing/src/config/billing-config.js';
import { readCatalogConfig } from '../../apps/catalog/src/catalog-config.js';
import { readGatewayConfig } from '../../apps/gateway/src/config/gateway-config.js';
import { interpolate, readComposeFile } from './compose-file.fixture.js';
import { configMapsOf, kubernetes, readManifests } from './kustomize.fixture.js';
import { readUnit, unitOf, units, valueOf, variablesOf } from './systemd.fixture.js';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly template?: { readonly spec: { readonly terminationGracePeriodSeconds?: number } };
  };
}

const compose = readComposeFile();
/** With the patches of overlays, if there are any. */
const deployments = readdirSync(kubernetes, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) => readManifests<Manifest>(join(kubernetes, file)))
  .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
const readers = { gateway: readGatewayConfig, catalog: readCatalogConfig, billing: readBillingConfig };
const names = Object.keys(readers) as (keyof typeof readers)[];
/** What the deployments hand over as secrets. */
const secrets = {
  SERVICE_REDIS_URL: 'redis://redis:6379',
  CATALOG_DATABASE_URL: 'postgres://postgres/catalog',
  BILLING_DATABASE_URL: 'postgres://postgres/billing',
  ADMIN_TOKEN: 'a token of the operator',
  INTERNAL_PORT: '9000',
};
/** A process that is told to end is gone so long after its own limit, at the latest. */
const marginMs = 1_000;

/** How long a service may take to stop with these variables; throws when the service would not start with them. */
function shutdownMs(service: keyof typeof readers, variables: Readonly<Record<string, string>>): number {
  return readers[service]({ ...secrets, ...variables }).SHUTDOWN_MS;
}

describe('a service gets enough time to stop by itself', () => {
  it.each(names)('compose: %s', (name) => {
    const { stop_grace_period = '10s', environment = {} } = compose.services[name] ?? {};
    const grace = interpolate(stop_grace_period);
    const variables = Object.entries(environment).map(([variable, value]) => [
      variable,
      interpolate(value ?? ''),
    ]);
    const plain = variables.filter(([variable = '']) => !variable.endsWith('_FILE'));
    expect(grace).toMatch(/^\d+s$/);
    expect(parseInt(grace, 10) * 1_000).toBeGreaterThanOrEqual(
      shutdownMs(name, Object.fromEntries(plain) as Record<string, string>) + marginMs,
    );
  });

  it.each(names)('systemd: %s', (name) => {
    const unit = readUnit(unitOf(name));
    const variables = Object.entries(variablesOf(unit, (path) => join(units, basename(path))));
    const plain = Object.fromEntries(variables.filter(([variable]) => !variable.endsWith('_FILE')));
    expect(Number(valueOf(unit, 'TimeoutStopSec')) * 1_000).toBeGreaterThanOrEqual(
      shutdownMs(name, plain) + marginMs,
    );
  });

  it.each(names)('Kubernetes: %s', (name) => {
    const pods = deployments.filter(({ metadata }) => metadata.name === name);
    expect(pods).toHaveLength(1);
    const graceSeconds = pods[0]?.spec?.template?.spec.terminationGracePeriodSeconds ?? 30;
    expect(graceSeconds * 1_000).toBeGreaterThanOrEqual(
      shutdownMs(name, configMapsOf('production')[name] ?? {}) + marginMs,
    );
  });
});

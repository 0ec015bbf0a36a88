import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfig } from '@app/platform';
import { fastify } from 'fastify';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { parseAllDocuments } from 'yaml';
import { billingMigrationSpecs, billingSpecs } from '../../apps/billing/src/config/billing-config.js';
import { catalogMigrationSpecs, catalogSpecs } from '../../apps/catalog/src/config/catalog-config.js';
import { gatewaySpecs } from '../../apps/gateway/src/config/gateway-config.js';
import { proxyTrust } from '../../apps/gateway/src/network/proxy-trust.js';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly resources?: readonly string[];
  readonly spec?: { readonly template?: { readonly spec?: PodSpec } };
}

interface PodSpec {
  readonly volumes: readonly { readonly secret?: { readonly secretName: string } }[];
  readonly securityContext?: { readonly runAsNonRoot?: boolean };
  readonly containers: readonly {
    readonly image: string;
    readonly env: readonly { readonly name: string; readonly value?: string }[];
    readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean };
  }[];
}

/** Names of secrets, and the files of each, that the pods of a manifest read. */
function secretsOf({ spec }: Manifest): string[] {
  const { volumes = [], containers = [] } = spec?.template?.spec ?? {};
  const names = volumes.flatMap(({ secret }) => secret?.secretName ?? []);
  const files = containers
    .flatMap(({ env }) => env)
    .flatMap(({ value }) => /^\/run\/secrets\/creator-search\/(\w+)$/.exec(value ?? '')?.[1] ?? []);
  return names.map((name) => `${name}: ${files.sort().join(' ')}`);
}

const directory = 'deploy/kubernetes';
/** By the schemas that Kubernetes publishes. */
const models = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
};
const specs: Readonly<Record<string, object>> = {
  gateway: gatewaySpecs,
  catalog: catalogSpecs,
  billing: billingSpecs,
  'catalog-migrate': catalogMigrationSpecs,
  'billing-migrate': billingMigrationSpecs,
};
const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => join(directory, name));
const manifests = files.flatMap((file) => read(file).map((manifest) => ({ file, manifest })));
const resources = manifests.filter(({ manifest }) => manifest.kind !== 'Kustomization');

function read(file: string): Manifest[] {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  return documents.map((document) => document.toJS({ maxAliasCount: 0 }) as Manifest);
}

function named({ file, manifest }: (typeof manifests)[number]): string {
  return `${manifest.kind} ${manifest.metadata?.name ?? ''} in ${file}`;
}

describe('the manifests for Kubernetes', () => {
  it.each(resources.map((one) => [named(one), one.manifest] as const))('%s is valid', (_name, manifest) => {
    const Model = models[manifest.kind as keyof typeof models];
    // The model takes any object and says what is wrong with it.
    expect(() => new Model(manifest as never).validate()).not.toThrow();
  });

  it('name every file, and no file that is missing', () => {
    const listed = manifests.flatMap(({ file, manifest }) =>
      (manifest.resources ?? []).map((name) => join(dirname(file), name)),
    );
    expect(listed.filter((path) => !existsSync(path))).toEqual([]);
    const unlisted = resources.map(({ file }) => file).filter((file) => !listed.includes(file));
    expect(unlisted).toEqual([]);
  });

  it('set only variables that the services know', () => {
    const unknown = resources.flatMap(({ manifest }) => {
      const service = manifest.metadata?.name ?? '';
      const known = Object.keys(specs[service] ?? {});
      const containers = manifest.spec?.template?.spec?.containers ?? [];
      const names = [
        ...Object.keys(manifest.kind === 'ConfigMap' ? (manifest.data ?? {}) : {}),
        ...containers.flatMap(({ env }) => env.map(({ name }) => name)),
      ];
      return names.filter((name) => !known.includes(name.replace(/_FILE$/, '')) && !known.includes(name));
    });
    expect(unknown).toEqual([]);
  });

  it('let no pod run as root or write to its image', () => {
    const pods = resources.flatMap(({ manifest }) => manifest.spec?.template?.spec ?? []);
    expect(pods).toHaveLength(5);
    for (const { securityContext, containers } of pods) {
      expect(securityContext?.runAsNonRoot).toBe(true);
      expect(containers.every((one) => one.securityContext?.readOnlyRootFilesystem)).toBe(true);
    }
  });

  it("give the owner's rights only to the migration jobs", () => {
    const of = (kind: string) =>
      resources
        .filter(({ manifest }) => manifest.kind === kind)
        .flatMap(({ manifest }) => secretsOf(manifest));
    expect(of('Deployment').filter((secret) => of('Job').includes(secret))).toEqual([]);
    expect(of('Job')).toEqual(['catalog-migrate: database_url', 'billing-migrate: database_url']);
  });

  it('read the secrets that the README creates, once their namespace exists', () => {
    const readme = readFileSync(join(directory, 'README.md'), 'utf8');
    const made = [...readme.matchAll(/create secret generic (\S+)((?: --from-file=\S+)+)/g)].map(
      ([, name, files = '']) =>
        `${name}: ${[...files.matchAll(/--from-file=(\w+)/g)]
          .map(([, file]) => file)
          .sort()
          .join(' ')}`,
    );
    expect(made.sort()).toEqual(resources.flatMap(({ manifest }) => secretsOf(manifest)).sort());
    expect(readme.indexOf('namespace.yaml')).toBeGreaterThan(0);
    expect(readme.indexOf('namespace.yaml')).toBeLessThan(readme.indexOf('create secret'));
  });

  it.each([
    ['its address, whatever addresses pods have', '10.244.1.7', '203.0.113.9', '203.0.113.9'],
    ['its IPv6 address', 'fd00::7', '2001:db8::9', '2001:db8::9'],
    ['its address, where pods have addresses of 100.64.0.0/10', '100.64.3.2', '203.0.113.9', '203.0.113.9'],
    [
      'its address, even when it claims another one',
      '10.244.1.7',
      '198.51.100.1, 203.0.113.9',
      '203.0.113.9',
    ],
    ['its address, even in a private network', '10.244.1.7', '192.168.7.7', '192.168.7.7'],
  ])('tell a customer behind the ingress controller by %s', async (_how, controller, forwarded, address) => {
    const config = manifests.find(
      ({ manifest: { kind, metadata } }) => kind === 'ConfigMap' && metadata?.name === 'gateway',
    );
    const { TRUST_PROXY } = loadConfig(
      { TRUST_PROXY: gatewaySpecs.TRUST_PROXY },
      config?.manifest.data ?? {},
    );
    const app = fastify({ trustProxy: proxyTrust(TRUST_PROXY) });
    app.get('/', ({ ip }) => ip);
    const headers = { 'x-forwarded-for': forwarded };
    const { body } = await app.inject({ url: '/', remoteAddress: controller, headers });
    expect(body).toBe(address);
  });
});

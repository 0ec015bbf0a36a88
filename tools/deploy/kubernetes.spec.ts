import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadConfig } from '#platform';
import { fastify } from 'fastify';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import {
  billingArchiveSpecs,
  billingMigrationSpecs,
  billingSpecs,
} from '../../apps/billing/src/config/billing-config.js';
import { catalogMigrationSpecs, catalogSpecs } from '../../apps/catalog/src/catalog-config.js';
import { gatewaySpecs } from '../../apps/gateway/src/config/gateway-config.js';
import { proxyTrust } from '../../apps/gateway/src/edge/http-server.js';
import {
  configMapsOf,
  kubernetes as directory,
  overlays,
  readKustomization,
  readManifests,
  resourcesOf,
} from './kustomize.fixture.js';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string };
  readonly spec?: {
    readonly template?: { readonly spec?: PodSpec };
    /** Of a CronJob. */
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: PodSpec } } };
    readonly progressDeadlineSeconds?: number;
  };
}

interface PodSpec {
  readonly volumes: readonly {
    readonly secret?: { readonly secretName: string; readonly optional?: boolean };
  }[];
  readonly securityContext?: { readonly runAsNonRoot?: boolean };
  readonly containers: readonly {
    readonly image: string;
    readonly env: readonly { readonly name: string; readonly value?: string }[];
    readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
    readonly startupProbe?: { readonly periodSeconds: number; readonly failureThreshold: number };
    readonly volumeMounts: readonly { readonly mountPath: string }[];
    readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean };
  }[];
}

const podOf = ({ spec }: Manifest): PodSpec | undefined =>
  spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec;

/** Names of secrets, and the files of each, that the pods of a manifest read. */
function secretsOf({ spec }: Manifest): string[] {
  const { volumes = [], containers = [] } = spec?.template?.spec ?? {};
  const names = volumes.flatMap(({ secret }) => (secret && !secret.optional ? [secret.secretName] : []));
  const files = containers
    .flatMap(({ env }) => env)
    .flatMap(({ value }) => /^\/run\/secrets\/creator-search\/(\w+)$/.exec(value ?? '')?.[1] ?? []);
  return names.map((name) => `${name}: ${files.sort().join(' ')}`);
}

/** By the schemas that Kubernetes publishes. */
const models = {
  ConfigMap,
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
};
const specs: Readonly<Record<string, object>> = {
  gateway: gatewaySpecs,
  catalog: catalogSpecs,
  billing: billingSpecs,
  'catalog-migrate': catalogMigrationSpecs,
  'billing-migrate': billingMigrationSpecs,
  'billing-archive': billingArchiveSpecs,
  // Variables of its script.
  backup: { KEEP_DAYS: null, BACKUP_PUBLIC_KEY: null },
};
const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => join(directory, name));
const manifests = files.flatMap((file) =>
  readManifests<Manifest>(file).map((manifest) => ({ file, manifest })),
);
const kustomizations = files.filter((file) => file.endsWith('/kustomization.yaml'));
/** What kustomize reads, and what is of an operator's interface, is no part of Kubernetes. */
const resources = manifests.filter(({ file }) => !kustomizations.includes(file));
const ofKubernetes = resources.filter(({ manifest }) => !manifest.apiVersion.includes('coreos.com'));

const { TRUST_PROXY } = loadConfig(
  { TRUST_PROXY: gatewaySpecs.TRUST_PROXY },
  configMapsOf('production').gateway ?? {},
);
/** Tells a customer's address as the gateway sees it. */
const app = fastify({ trustProxy: proxyTrust(TRUST_PROXY) });
app.get('/', ({ ip }) => ip);

function named({ file, manifest }: (typeof manifests)[number]): string {
  return `${manifest.kind} ${manifest.metadata?.name ?? ''} in ${file}`;
}

describe('the manifests for Kubernetes', () => {
  it.each(ofKubernetes.map((one) => [named(one), one.manifest] as const))(
    '%s is valid',
    (_name, manifest) => {
      const Model = models[manifest.kind as keyof typeof models];
      // The model takes any object and says what is wrong with it.
      expect(() => new Model(manifest as never).validate()).not.toThrow();
    },
  );

  it('name every file, and no file that is missing', () => {
    const listed = kustomizations.flatMap(resourcesOf);
    expect(listed.filter((path) => !existsSync(path))).toEqual([]);
    const unlisted = resources.map(({ file }) => file).filter((file) => !listed.includes(file));
    expect(unlisted).toEqual([]);
  });

  it('set only variables that the services know', () => {
    const ofPods = resources.flatMap(({ manifest }) =>
      (podOf(manifest)?.containers ?? []).flatMap(({ env = [] }) =>
        env.map(({ name }) => [manifest.metadata?.name ?? '', name] as const),
      ),
    );
    const ofMaps = overlays.flatMap((overlay) =>
      Object.entries(configMapsOf(overlay)).flatMap(([service, data]) =>
        Object.keys(data).map((name) => [service, name] as const),
      ),
    );
    const unknown = [...ofPods, ...ofMaps].filter(([service, name]) => {
      const known = Object.keys(specs[service] ?? {});
      return !known.includes(name) && !known.includes(name.replace(/_FILE$/, ''));
    });
    expect(unknown).toEqual([]);
  });

  it('let no pod run as root or write to its image', () => {
    const pods = resources.flatMap(({ manifest }) => podOf(manifest) ?? []);
    expect(pods).toHaveLength(7);
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
    const made = [...readme.matchAll(/create secret generic ((?!ca )\S+)((?: --from-file=\S+)+)/g)].map(
      ([, name, files = '']) =>
        `${name}: ${[...files.matchAll(/--from-file=(\w+)/g)]
          .map(([, file]) => file)
          .sort()
          .join(' ')}`,
    );
    expect(made.sort()).toEqual(resources.flatMap(({ manifest }) => secretsOf(manifest)).sort());
    expect(readme.indexOf('create namespace')).toBeGreaterThan(0);
    expect(readme.indexOf('create namespace')).toBeLessThan(readme.indexOf('create secret'));
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
    const headers = { 'x-forwarded-for': forwarded };
    const { body } = await app.inject({ url: '/', remoteAddress: controller, headers });
    expect(body).toBe(address);
  });

  it('replace the pods that read a config map when it changes: its name has a hash', () => {
    const base = readKustomization(join(directory, 'base'));
    const generated = (base.configMapGenerator ?? []).map(({ name }) => name);
    const deployments = resources.filter(({ manifest }) => manifest.kind === 'Deployment');
    const read = deployments.flatMap(({ manifest }) =>
      (manifest.spec?.template?.spec?.containers ?? []).flatMap(({ envFrom = [] }) =>
        envFrom.map(({ configMapRef }) => configMapRef.name),
      ),
    );
    expect(read.sort()).toEqual(generated.sort());
    const written = resources.filter(({ manifest }) => manifest.kind === 'ConfigMap');
    expect(written.map(({ file }) => basename(file))).toEqual(overlays.map(() => 'settings.yaml'));
    for (const { generatorOptions, configMapGenerator = [] } of kustomizations.map((file) =>
      readKustomization(join(file, '..')),
    )) {
      const options = [generatorOptions, ...configMapGenerator.map((one) => one.options)];
      expect(options.some((one) => one?.disableNameSuffixHash)).toBe(false);
    }
  });

  it('let a catalog of 50 million creators build its index, at 46 s for a million', () => {
    const catalog = resources.find(
      ({ manifest: { kind, metadata } }) => kind === 'Deployment' && metadata?.name === 'catalog',
    )?.manifest.spec;
    const { periodSeconds = 0, failureThreshold = 0 } =
      catalog?.template?.spec?.containers[0]?.startupProbe ?? {};
    expect(periodSeconds * failureThreshold).toBeGreaterThan(50 * 46);
    expect(catalog?.progressDeadlineSeconds).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  it('give every pod the certificate authorities of PostgreSQL and Redis, where there are any', () => {
    for (const { manifest } of resources) {
      const pod = podOf(manifest);
      if (!pod) continue;
      expect(pod.volumes.filter(({ secret }) => secret?.optional)).toEqual([
        { name: 'ca', secret: { secretName: 'ca', optional: true, defaultMode: 0o440 } },
      ]);
      expect(pod.containers[0]?.volumeMounts.map(({ mountPath }) => mountPath)).toContain('/run/secrets/ca');
    }
  });

  it("have every service's metrics read under its name, which the alerts expect as job", () => {
    const [monitor] = readManifests(join(directory, 'components/monitoring/pod-monitor.yaml'));
    expect(monitor).toMatchObject({
      spec: {
        jobLabel: 'app.kubernetes.io/name',
        selector: { matchExpressions: [{ values: ['gateway', 'catalog', 'billing'] }] },
        podMetricsEndpoints: [{ port: 'internal', path: '/metrics' }],
      },
    });
  });
});

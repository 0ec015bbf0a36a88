import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { type IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { Service } from 'kubernetes-models/v1/Service';
import { parse, parseAllDocuments } from 'yaml';
import {
  billingArchiveSpecs,
  billingMigrationSpecs,
  billingSpecs,
} from '../../apps/billing/src/config/billing-config.js';
import { catalogMigrationSpecs, catalogSpecs } from '../../apps/catalog/src/catalog-config.js';
import { gatewaySpecs } from '../../apps/gateway/src/config/gateway-config.js';
import { websiteSpecs } from '../../apps/website/src/config/website-config.js';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly template?: { readonly spec?: IPodSpec };
    /** Rules of an HTTPRoute. */
    readonly rules?: readonly {
      readonly matches: readonly { readonly path: { readonly type: string; readonly value: string } }[];
      readonly backendRefs: readonly { readonly name: string }[];
    }[];
    /** Template of a CronJob. */
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: IPodSpec } } };
  };
}

interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly configMapGenerator?: readonly { readonly name: string; readonly envs?: readonly string[] }[];
}

/** Kinds of manifests, each with the schema that Kubernetes publishes. */
const models = {
  ConfigMap,
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  Namespace,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
};
const specs: Readonly<Record<string, object>> = {
  gateway: gatewaySpecs,
  website: websiteSpecs,
  catalog: catalogSpecs,
  billing: billingSpecs,
  'catalog-migrate': catalogMigrationSpecs,
  'billing-migrate': billingMigrationSpecs,
  'billing-archive': billingArchiveSpecs,
  // Variables of its script.
  alertmanager: { MAIL_URL: null, ALERTS_WEBHOOK_URL: null, WATCHDOG_URL: null },
};
const root = 'deploy/kubernetes';
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => join(root, name));
const isKustomization = (file: string): boolean => file.endsWith('/kustomization.yaml');
const kustomizations = files.filter(isKustomization).map((file) => ({
  directory: dirname(file),
  content: parse(readFileSync(file, 'utf8')) as Kustomization,
}));
const resources = files
  .filter((file) => !isKustomization(file))
  .flatMap((file) =>
    parseAllDocuments(readFileSync(file, 'utf8')).map((document) => ({
      file,
      manifest: document.toJS({ maxAliasCount: 0 }) as Manifest,
    })),
  );
const pods = resources.flatMap(({ manifest: { kind, metadata, spec } }) => {
  const pod = spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec;
  return pod ? [{ kind, name: metadata.name, pod }] : [];
});
/** The variables that the base sets for a service, as `NAME=value`. */
const settings = kustomizations.flatMap(({ directory, content: { configMapGenerator = [] } }) =>
  configMapGenerator.flatMap(({ name, envs = [] }) =>
    envs.flatMap((file) =>
      [...readFileSync(join(directory, file), 'utf8').matchAll(/^([A-Z]\w*)=(.*)$/gm)].map(
        ([, variable = '', value = '']) => ({ service: name, variable, value }),
      ),
    ),
  ),
);

/** The names of the secrets that a pod needs, each with the files that it reads of it. */
function secretsOf({ volumes = [], containers }: IPodSpec): string[] {
  const names = volumes.flatMap(({ secret }) => (secret && !secret.optional ? [secret.secretName] : []));
  const read = containers
    .flatMap(({ env = [] }) => env)
    .flatMap(({ value }) => /^\/run\/secrets\/creator-search\/(\w+)$/.exec(value ?? '')?.[1] ?? []);
  return names.map((name) => `${name}: ${read.sort().join(' ')}`);
}

describe('the manifests for Kubernetes', () => {
  // What a cluster has only with the Prometheus Operator or the Gateway API is no part of Kubernetes.
  it.each(resources.filter(({ manifest }) => !/coreos\.com|^gateway\./.test(manifest.apiVersion)))(
    '$manifest.kind $manifest.metadata.name in $file is valid',
    ({ manifest }) => {
      const Model = models[manifest.kind as keyof typeof models];
      // The model takes any object and says what is wrong with it.
      expect(() => new Model(manifest as never).validate()).not.toThrow();
    },
  );

  it('set only variables that the services know', () => {
    const ofPods = pods.flatMap(({ name: service, pod }) =>
      pod.containers.flatMap(({ env = [] }) => env.map(({ name: variable }) => ({ service, variable }))),
    );
    const unknown = [...ofPods, ...settings].filter(
      ({ service, variable }) => !(variable.replace(/(?<!^TLS_\w+)_FILE$/, '') in (specs[service] ?? {})),
    );
    expect(unknown).toEqual([]);
  });

  it('let no pod run as root or write to its image, and give each the certificate authorities, where there are any', () => {
    expect(pods).toHaveLength(8);
    for (const { pod } of pods) {
      expect(pod).toMatchObject({ securityContext: { runAsNonRoot: true } });
      for (const container of pod.containers) {
        expect(container).toMatchObject({ securityContext: { readOnlyRootFilesystem: true } });
      }
      expect(pod.volumes).toContainEqual({
        name: 'ca',
        secret: { secretName: 'ca', optional: true, defaultMode: 0o440 },
      });
    }
  });

  it('route the same paths to the gateways as the front of the compose file, and all others to the websites', () => {
    const [, front = ''] = /^\t@api path (.+)$/m.exec(readFileSync('deploy/front/Caddyfile', 'utf8')) ?? [];
    const route = resources.find(
      ({ manifest: { kind, metadata } }) => kind === 'HTTPRoute' && metadata.name === 'creator-search',
    );
    const routed = (route?.manifest.spec?.rules ?? []).map(({ matches, backendRefs: [backend] }) => [
      backend?.name,
      matches.flatMap(({ path: { type, value } }) =>
        type === 'Exact' || value === '/' ? value : [value, `${value}/*`],
      ),
    ]);
    expect(Object.fromEntries(routed)).toEqual({
      gateway: expect.arrayContaining(front.split(' ')) as string[],
      website: ['/'],
    });
  });

  it("give the owner's rights only to the migration jobs", () => {
    const of = (wanted: string) =>
      pods.filter(({ kind }) => kind === wanted).flatMap(({ pod }) => secretsOf(pod));
    expect(of('Deployment').filter((secret) => of('Job').includes(secret))).toEqual([]);
    expect(of('Job')).toEqual(['catalog-migrate: database_url', 'billing-migrate: database_url']);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { parseAllDocuments } from 'yaml';
import { billingSpecs } from '../../apps/billing/src/config/billing-config.js';
import { catalogSpecs } from '../../apps/catalog/src/config/catalog-config.js';
import { gatewaySpecs } from '../../apps/gateway/src/config/gateway-config.js';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly resources?: readonly string[];
  readonly spec?: { readonly template?: { readonly spec?: PodSpec } };
}

interface PodSpec {
  readonly securityContext?: { readonly runAsNonRoot?: boolean };
  readonly containers: readonly {
    readonly image: string;
    readonly env: readonly { readonly name: string }[];
    readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean };
  }[];
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
        ...(manifest.kind === 'Deployment'
          ? containers.flatMap(({ env }) => env.map(({ name }) => name))
          : []),
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
});

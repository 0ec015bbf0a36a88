import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { parse } from 'yaml';
import { build, canBuild, kubernetes, overlays, readManifests } from './kustomize.fixture.js';

// kubectl is started for each.
jest.setTimeout(60_000);

if (!canBuild) {
  process.stderr.write('\nOverlays are not built: install kubectl or kustomize.\n');
}

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly minReplicas?: number;
    readonly maxReplicas?: number;
    readonly progressDeadlineSeconds?: number;
    readonly tls?: readonly { readonly hosts: readonly string[] }[];
    readonly rules?: readonly { readonly host: string }[];
    readonly template?: {
      readonly spec: {
        readonly containers: readonly {
          readonly image: string;
          readonly resources: Readonly<Record<'limits' | 'requests', { readonly memory: string }>>;
        }[];
      };
    };
  };
}

const models = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
};
const services = ['gateway', 'catalog', 'billing'] as const;
const component = 'app.kubernetes.io/component';
const root = mkdtempSync(join(tmpdir(), 'kubernetes-'));
afterAll(() => rmSync(root, { recursive: true }));

let copies = 0;
/** A copy of our manifests, so that an overlay may be changed. */
function copy(): string {
  const directory = join(root, String(copies++));
  cpSync(kubernetes, directory, { recursive: true });
  return directory;
}

function change(file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(file, text.replace(from, to));
}

const overlayOf = (directory: string, overlay: string): string => join(directory, 'overlays', overlay);
const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((one) => one.kind === kind);
/** The names of config maps or secrets with what kustomize added, by their own name. */
function generated(manifests: readonly Manifest[], kind: string): Record<string, string> {
  const names = ofKind(manifests, kind).map(({ metadata }) => metadata.name);
  return Object.fromEntries(names.map((name) => [name.replace(/-[a-z0-9]{10}$/, ''), name]));
}

function settingsOf(overlay: string): Readonly<Record<string, string>> {
  const [settings] = readManifests<Manifest>(join(overlayOf(kubernetes, overlay), 'settings.yaml'));
  return settings?.data ?? {};
}

const whenBuilt = canBuild ? describe : describe.skip;

whenBuilt.each(overlays)('the overlay %s, as it is applied', (overlay) => {
  const manifests = canBuild ? build<Manifest>(overlayOf(kubernetes, overlay)) : [];
  const settings = settingsOf(overlay);
  const { PUBLIC_URL = '', IMAGES, VERSION } = settings;

  it('is valid, in one namespace, and has no settings left in it', () => {
    const [namespace, ...others] = ofKind(manifests, 'Namespace').map(({ metadata }) => metadata.name);
    expect(others).toEqual([]);
    for (const manifest of manifests) {
      const Model = models[manifest.kind as keyof typeof models];
      expect(() => new Model(manifest as never).validate()).not.toThrow();
      if (manifest.kind !== 'Namespace') expect(manifest.metadata.namespace).toBe(namespace);
    }
    expect(Object.keys(generated(manifests, 'ConfigMap')).sort()).toEqual([...services].sort());
  });

  it('has one origin, with HTTPS, which no other overlay has', () => {
    const data = (name: string) =>
      ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith(`${name}-`))?.data ?? {};
    expect(PUBLIC_URL).toMatch(/^https:\/\/[a-z.]+$/);
    const origins = [data('gateway').PUBLIC_URL, data('billing').PUBLIC_URL, data('catalog').SITE_URL];
    expect(new Set(origins)).toEqual(new Set([PUBLIC_URL]));
    const { host } = new URL(PUBLIC_URL);
    expect(data('billing').MAIL_FROM).toContain(`@${host}>`);
    const [ingress] = ofKind(manifests, 'Ingress');
    expect(ingress?.spec?.tls?.flatMap(({ hosts }) => hosts)).toEqual([host]);
    expect(ingress?.spec?.rules?.map((rule) => rule.host)).toEqual([host]);
    const others = overlays.filter((name) => name !== overlay).map((name) => settingsOf(name).PUBLIC_URL);
    expect(others).not.toContain(PUBLIC_URL);
  });

  it('has the images, the numbers of replicas and the memory of its settings', () => {
    const pods = [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'Job')];
    expect(pods).toHaveLength(5);
    for (const { metadata, spec } of pods) {
      const service = metadata.name.replace('-migrate', '');
      expect(spec?.template?.spec.containers[0]?.image).toBe(`${IMAGES}/${service}:${VERSION}`);
    }
    for (const { metadata, spec } of ofKind(manifests, 'HorizontalPodAutoscaler')) {
      const name = metadata.name.toUpperCase();
      expect(spec?.minReplicas).toBe(Number(settings[`${name}_REPLICAS_MIN`]));
      expect(spec?.maxReplicas).toBe(Number(settings[`${name}_REPLICAS_MAX`]));
    }
    const catalog = pods.find(({ metadata }) => metadata.name === 'catalog');
    const { limits, requests } = catalog?.spec?.template?.spec.containers[0]?.resources ?? {};
    expect([limits?.memory, requests?.memory]).toEqual([settings.CATALOG_MEMORY, settings.CATALOG_MEMORY]);
  });

  it('is applied in waves: migrations, billing, catalog, gateway, after everything that they read', () => {
    const waves = manifests.flatMap(({ metadata }) => {
      const wave = metadata.annotations?.['argocd.argoproj.io/sync-wave'];
      return wave === undefined ? [] : [[Number(wave), metadata.name] as const];
    });
    const order = waves.sort(([one, name], [other, next]) => one - other || name.localeCompare(next));
    expect(order.map(([, name]) => name)).toEqual([
      ...['billing-migrate', 'catalog-migrate'],
      ...['billing', 'catalog', 'gateway'],
    ]);
    expect(order[0]?.[0]).toBeGreaterThan(0);
    // The selectors of the README divide everything in the same way.
    const first = manifests.filter(({ metadata }) => metadata.labels?.[component] === undefined);
    expect(first.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')).toEqual([]);
    expect(first.length + order.length).toBe(manifests.length);
  });
});

whenBuilt('a change of an overlay', () => {
  it('of an address replaces the pods that read it, and no others', () => {
    const directory = copy();
    const overlay = overlayOf(directory, 'production');
    const before = generated(build(overlay), 'ConfigMap');
    change(join(overlay, 'settings.yaml'), 'no-reply@', 'hello@');
    const after = build<Manifest>(overlay);
    const names = generated(after, 'ConfigMap');
    expect(names).toEqual({ ...before, billing: expect.not.stringMatching(before.billing ?? '') as string });
    const pods = JSON.stringify(ofKind(after, 'Deployment').map(({ spec }) => spec));
    for (const name of Object.values(names)) expect(pods).toContain(`"${name}"`);
  });

  it('of the registry may name a port', () => {
    const overlay = overlayOf(copy(), 'production');
    change(join(overlay, 'settings.yaml'), 'registry.example/', 'registry.example:5000/team/');
    const images = ofKind(build(overlay), 'Deployment').map(
      ({ spec }) => spec?.template?.spec.containers[0]?.image,
    );
    const { VERSION } = settingsOf('production');
    expect(images).toContain(`registry.example:5000/team/creator-search/gateway:${VERSION}`);
  });

  it('of a secret replaces the pods that read it, where the overlay makes its secrets of files', () => {
    const overlay = overlayOf(copy(), 'production');
    const secrets = join(overlay, 'secrets');
    const env = { ...process.env, POSTGRES_ADDRESS: 'db.example:5432', REDIS_ADDRESS: 'redis.example:6379' };
    execFileSync('deploy/compose/make-secrets.sh', [secrets], { env, stdio: 'ignore' });
    change(join(overlay, 'kustomization.yaml'), /^ {2}# - secrets$/m, '  - secrets');
    const built = build<Manifest>(overlay);
    const [gateway] = ofKind(built, 'Secret').filter(({ metadata }) => metadata.name.startsWith('gateway-'));
    expect(Buffer.from(gateway?.data?.redis_url ?? '', 'base64').toString()).toContain('@redis.example:6379');
    const before = generated(built, 'Secret');
    expect(Object.keys(before).sort()).toEqual(
      [...services, 'billing-migrate', 'catalog-migrate'].sort((one, other) => one.localeCompare(other)),
    );
    writeFileSync(join(secrets, 'admin_token'), 'another token of the operators');
    const after = build<Manifest>(overlay);
    const names = generated(after, 'Secret');
    expect(names).toEqual({ ...before, gateway: expect.not.stringMatching(before.gateway ?? '') as string });
    const pods = JSON.stringify([...ofKind(after, 'Deployment'), ...ofKind(after, 'Job')]);
    for (const name of Object.values(names)) expect(pods).toContain(`"secretName":"${name}"`);
    expect(pods).not.toMatch(/"secretName":"(gateway|catalog|billing)(-migrate)?"/);
  });

  it('adds the monitoring of the Prometheus Operator, with every alert', () => {
    const overlay = overlayOf(copy(), 'production');
    const line = /^ {2}# - \.\.\/\.\.\/components\/monitoring$/m;
    change(join(overlay, 'kustomization.yaml'), line, '  - ../../components/monitoring');
    const built = build<Manifest>(overlay);
    expect(ofKind(built, 'PodMonitor')).toHaveLength(1);
    const [rule] = ofKind(built, 'PrometheusRule');
    expect(rule?.spec).toEqual(parse(readFileSync('deploy/observability/alerts.yml', 'utf8')));
  });
});

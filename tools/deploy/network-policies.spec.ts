import { kubernetes, readManifests } from './kustomize.fixture.js';
import { type NetworkPolicy, type Place, reaches, type Target } from './reachability.fixture.js';

interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly {
      readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
    }[];
  };
}

interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: Template;
    /** Of a CronJob. */
    readonly jobTemplate?: { readonly spec: { readonly template: Template } };
  };
}

const own = 'creator-search';
const ofFiles = <Manifest>(...files: string[]): Manifest[] =>
  files.flatMap((file) => readManifests<Manifest>(`${kubernetes}/${file}.yaml`));
const jobs = ['backup', 'archive'].map((component) => `components/${component}`);
const policies = ofFiles<NetworkPolicy>(
  'base/network-policies',
  ...jobs.map((component) => `${component}/network-policy`),
);
const workloads = ofFiles<Workload>(
  ...['gateway', 'catalog', 'billing', 'migrations'].map((name) => `base/${name}`),
  ...jobs.map((component) => `${component}/cron-job`),
).filter(({ kind }) => ['Deployment', 'Job', 'CronJob'].includes(kind));

/** As the manifests start it. */
function podOf(name: string): Place {
  const found = workloads.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`no pod is called ${name}`);
  const template = found.spec.jobTemplate?.spec.template ?? found.spec.template;
  const ports = template?.spec.containers.flatMap((container) => container.ports ?? []) ?? [];
  return {
    namespace: own,
    labels: template?.metadata?.labels ?? {},
    ports: Object.fromEntries(ports.map((port) => [port.name, port.containerPort])),
  };
}

function stranger(namespace: string | null, labels: Place['labels'] = {}): Place {
  return { namespace, labels, ports: {} };
}

const places: Readonly<Record<string, Place>> = {
  ...Object.fromEntries(workloads.map(({ metadata }) => [metadata.name, podOf(metadata.name)])),
  operator: stranger(own, { 'creator-search/operator': 'true' }),
  'another pod of the namespace': stranger(own, { 'app.kubernetes.io/name': 'another' }),
  'the ingress controller': stranger('ingress-nginx'),
  monitoring: stranger('monitoring'),
  'a pod of another namespace': stranger('another', { 'creator-search/operator': 'true' }),
};

function tcp(place: Place, port: number): Target {
  return { place, port, protocol: 'TCP' };
}

const names = stranger('kube-system');
const outside = stranger(null);
const internet: Place = { ...outside, isPublic: true };
const targets: Readonly<Record<string, Target>> = {
  'gateway: public': tcp(podOf('gateway'), 3000),
  'gateway: admin': tcp(podOf('gateway'), 3001),
  'gateway: internal': tcp(podOf('gateway'), 9000),
  'catalog: internal': tcp(podOf('catalog'), 9000),
  'billing: internal': tcp(podOf('billing'), 9000),
  names: { place: names, port: 53, protocol: 'UDP' },
  'names over TCP': tcp(names, 53),
  'another port of kube-system': tcp(names, 10250),
  Redis: tcp(outside, 6379),
  PostgreSQL: tcp(outside, 5432),
  'collector of traces': tcp(stranger('monitoring'), 4318),
  'another port of monitoring': tcp(stranger('monitoring'), 9090),
  'a collector elsewhere': tcp(outside, 4318),
  'Stripe, and webhooks of customers': tcp(internet, 443),
  'another port of the internet': tcp(internet, 80),
  'the own network': tcp(outside, 443),
  'a mail server on the internet': tcp(internet, 587),
  'a mail server over TLS': tcp(internet, 465),
  'a mail server of the own network': tcp(outside, 587),
  'another pod of the namespace': tcp(stranger(own), 8080),
};

const ask = ['names', 'names over TCP'];
/** All that each of them reaches, of these targets: those outside of the namespace are asked about the namespace alone. */
const expected: Readonly<Record<string, readonly string[]>> = {
  gateway: [...ask, 'Redis', 'collector of traces'],
  catalog: [...ask, 'Redis', 'PostgreSQL', 'collector of traces'],
  billing: [
    ...ask,
    'Redis',
    'PostgreSQL',
    'collector of traces',
    'Stripe, and webhooks of customers',
    'a mail server on the internet',
    'a mail server over TLS',
  ],
  'catalog-migrate': [...ask, 'PostgreSQL'],
  'billing-migrate': [...ask, 'PostgreSQL'],
  backup: [...ask, 'PostgreSQL'],
  'billing-archive': [...ask, 'PostgreSQL'],
  operator: ['gateway: admin', ...ask],
  'another pod of the namespace': ask,
  'the ingress controller': ['gateway: public'],
  monitoring: ['gateway: internal', 'catalog: internal', 'billing: internal'],
  'a pod of another namespace': [],
};

it('every pod has an expectation', () => {
  expect(Object.keys(expected).sort()).toEqual(Object.keys(places).sort());
});

it.each(Object.entries(places))('%s reaches what it needs, and nothing else', (name, from) => {
  const asked = Object.entries(targets).filter(
    ([, { place }]) => from.namespace === own || place.namespace === own,
  );
  const reached = asked
    .filter(([, target]) => reaches(policies, own, from, target))
    .map(([target]) => target);
  expect(reached).toEqual(Object.keys(targets).filter((target) => expected[name]?.includes(target)));
});

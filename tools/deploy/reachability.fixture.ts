/** The part of a NetworkPolicy that decides reachability. Anything else in it is an error here, not ignored. */
export interface NetworkPolicy {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly ('Ingress' | 'Egress')[];
    readonly ingress?: readonly { readonly from?: readonly Peer[]; readonly ports?: readonly Port[] }[];
    readonly egress?: readonly { readonly to?: readonly Peer[]; readonly ports?: readonly Port[] }[];
  };
}

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  /** Here always the internet without private networks. */
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Port {
  readonly port: number | string;
  readonly protocol?: string;
}

type Labels = Readonly<Record<string, string>>;

/** A pod, or with `namespace: null` a host outside of the cluster, of a private network unless it is public. */
export interface Place {
  readonly namespace: string | null;
  readonly isPublic?: boolean;
  readonly labels: Labels;
  /** Its ports that have a name. */
  readonly ports: Readonly<Record<string, number>>;
}

export interface Target {
  readonly place: Place;
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
}

/** Whether the policies of `namespace` let `from` open a connection to `to`; other namespaces have none. */
export function reaches(
  policies: readonly NetworkPolicy[],
  namespace: string,
  from: Place,
  to: Target,
): boolean {
  const of = (place: Place, type: 'Ingress' | 'Egress'): NetworkPolicy[] =>
    place.namespace === namespace
      ? policies.filter(
          ({ spec }) => spec.policyTypes.includes(type) && selects(spec.podSelector, place.labels),
        )
      : [];
  const leaving = of(from, 'Egress');
  const entering = of(to.place, 'Ingress');
  const mayLeave = leaving.some(({ spec }) =>
    spec.egress?.some((rule) => isPeer(rule.to, to.place, namespace) && isPort(rule.ports, to)),
  );
  const mayEnter = entering.some(({ spec }) =>
    spec.ingress?.some((rule) => isPeer(rule.from, from, namespace) && isPort(rule.ports, to)),
  );
  return (leaving.length === 0 || mayLeave) && (entering.length === 0 || mayEnter);
}

/** No list selects everything. A pod selector alone selects pods of the policy's own namespace. */
function isPeer(peers: readonly Peer[] | undefined, place: Place, own: string): boolean {
  if (!peers) return true;
  return peers.some((peer) => {
    expectOnly(peer, ['podSelector', 'namespaceSelector', 'ipBlock']);
    if (peer.ipBlock) return place.namespace === null && place.isPublic === true;
    if (place.namespace === null) return false;
    const inNamespace = peer.namespaceSelector
      ? selects(peer.namespaceSelector, { 'kubernetes.io/metadata.name': place.namespace })
      : place.namespace === own;
    return inNamespace && selects(peer.podSelector ?? {}, place.labels);
  });
}

function isPort(ports: readonly Port[] | undefined, { place, port, protocol }: Target): boolean {
  if (!ports) return true;
  return ports.some((one) => {
    expectOnly(one, ['port', 'protocol']);
    const number = typeof one.port === 'number' ? one.port : place.ports[one.port];
    return number === port && (one.protocol ?? 'TCP') === protocol;
  });
}

function selects(selector: Selector, labels: Labels): boolean {
  expectOnly(selector, ['matchLabels', 'matchExpressions']);
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`unsupported operator ${operator}`);
      return values.includes(labels[key] ?? '');
    })
  );
}

function expectOnly(object: object, known: readonly string[]): void {
  const unknown = Object.keys(object).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`unsupported: ${unknown.join(', ')}`);
}

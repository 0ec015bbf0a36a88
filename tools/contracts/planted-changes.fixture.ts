/** A part of a snapshot of the contracts. */
export type Json = Record<string, unknown>;
export type Plant = (snapshot: Json) => void;

/** The object at this path. */
export function at(snapshot: Json, ...path: string[]): Json {
  return path.reduce<Json>((inner, name) => {
    const next = inner[name];
    if (typeof next !== 'object' || next === null) throw new Error(`There is no ${path.join(' ')}.`);
    return next as Json;
  }, snapshot);
}

const fields = (pattern: string): string[] => ['messages', pattern, 'payload', 'properties'];
const payload = (s: Json): Json => at(s, 'messages', 'billing.charge', 'payload');
const charge = (s: Json): Json => at(s, 'messages', 'billing.charge');
const field = (s: Json, name: string): Json => at(s, ...fields('billing.charge'), name);
const charged = (s: Json): Json => at(s, 'messages', 'billing.charge', 'reply', 'anyOf', '1');
const keyChanged = (s: Json): Json => at(s, 'broadcasts', 'billing.key_changed', 'payload');
const list = (schema: Json, name: string): unknown[] => schema[name] as unknown[];
const lent = { type: 'object', required: ['outcome'], properties: { outcome: { const: 'lent' } } };

/** What breaks a roll-out whatever else is done, by the beginning of the problem. */
export const breaking: readonly [problem: string, plant: Plant][] = [
  ['billing.charge is gone', (s) => delete at(s, 'messages')['billing.charge']],
  ['billing.charge has another queue', (s) => (charge(s).queue = 'settlements')],
  [
    'billing.delete_key is sent again',
    (s) => (at(s, 'messages', 'billing.delete_key').resend_after_ms = 1_000),
  ],
  [
    'billing.charge payload.total may be absent: an earlier service relies',
    (s) => list(payload(s), 'required').push('total'),
  ],
  ['billing.charge payload.total is gone', (s) => delete at(payload(s), 'properties').total],
  ['billing.charge payload.operation may be "profiles"', (s) => list(field(s, 'operation'), 'enum').pop()],
  ['billing.charge payload.credits may have another maximum', (s) => (field(s, 'credits').maximum = 100)],
  [
    'billing.charge payload.fingerprint may have another pattern',
    (s) => (field(s, 'fingerprint').pattern = '^x$'),
  ],
  [
    'billing.charge reply.credits_used may be absent: an earlier service relies',
    (s) => list(charged(s), 'required').pop(),
  ],
  [
    'billing.charge reply may be of type object, outcome "lent"',
    (s) => list(at(charge(s), 'reply'), 'anyOf').push(lent),
  ],
  ['billing.key_changed is gone', (s) => delete at(s, 'broadcasts')['billing.key_changed']],
  ['billing.key_changed payload.key_hash may be absent', (s) => list(keyChanged(s), 'required').pop()],
  ['an error now may be "teapot"', (s) => list(s, 'errors').push('teapot')],
];

/** What a gateway of this version waits for, once the revision is raised, by the beginning of the problem. */
export const curable: readonly [problem: string, plant: Plant][] = [
  ['billing.lend is new', (s) => (at(s, 'messages')['billing.lend'] = charge(s))],
  [
    'billing.charge payload.charge_id may be absent: an earlier service does not know',
    (s) => list(payload(s), 'required').shift(),
  ],
  [
    'billing.charge payload.operation may be "export"',
    (s) => list(field(s, 'operation'), 'enum').push('export'),
  ],
  [
    'billing.charge reply.rank may be absent: an earlier service does not know',
    (s) => {
      at(charged(s), 'properties').rank = { type: 'number' };
      list(charged(s), 'required').push('rank');
    },
  ],
];

/** What services of both versions cope with. */
export const harmless: readonly [name: string, plant: Plant][] = [
  ['nothing', () => undefined],
  ['a new optional field', (s) => (at(payload(s), 'properties').note = { type: 'string' })],
  ['a new event', (s) => (at(s, 'broadcasts')['billing.new'] = { payload: { type: 'object' } })],
];

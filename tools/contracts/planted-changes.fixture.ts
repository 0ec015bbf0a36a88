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

const charge = ['messages', 'billing.charge'];
const payload = (snapshot: Json): Json => at(snapshot, ...charge, 'payload');
const field = (snapshot: Json, name: string): Json => at(snapshot, ...charge, 'payload', 'properties', name);
const charged = (snapshot: Json): Json => at(snapshot, ...charge, 'reply', 'anyOf', '1');
const settlement = (snapshot: Json): Json =>
  at(snapshot, 'messages', 'billing.settle', 'payload', 'properties', 'settlements', 'items');
const list = (schema: Json, name: string): unknown[] => schema[name] as unknown[];

/** What breaks a roll-out whatever else is done. */
export const breaking: readonly [name: string, plant: Plant, problem: RegExp][] = [
  ['a message vanishes', (s) => delete at(s, 'messages')['billing.charge'], /^billing\.charge is gone/],
  ['another queue', (s) => (at(s, ...charge).queue = 'settlements'), /^billing\.charge has another queue/],
  [
    'a message that was sent once is sent again',
    (s) => (at(s, 'messages', 'billing.delete_key').resend_after_ms = 1_000),
    /^billing\.delete_key is sent again/,
  ],
  [
    'a new required field',
    (s) => list(payload(s), 'required').push('total'),
    /payload\.total may be absent: an earlier service sends it so/,
  ],
  [
    'a field is removed',
    (s) => delete at(s, ...charge, 'payload', 'properties').total,
    /payload\.total is gone/,
  ],
  [
    'a type changes',
    (s) => (field(s, 'request_id').type = 'integer'),
    /payload\.request_id may be of type string/,
  ],
  [
    'a choice is removed',
    (s) => list(field(s, 'operation'), 'enum').pop(),
    /payload\.operation may be "profile"/,
  ],
  [
    'a maximum falls',
    (s) => (field(s, 'credits').maximum = 100),
    /payload\.credits may have another maximum/,
  ],
  ['a minimum rises', (s) => (field(s, 'credits').minimum = 1), /payload\.credits may have another minimum/],
  [
    'a string gets shorter',
    (s) => (field(s, 'request_id').maxLength = 10),
    /payload\.request_id may have another maxLength/,
  ],
  [
    'a list gets shorter',
    (s) => (at(s, 'messages', 'billing.settle', 'payload', 'properties', 'settlements').maxItems = 5),
    /payload\.settlements may have another maxItems/,
  ],
  [
    'another pattern',
    (s) => (field(s, 'fingerprint').pattern = '^x$'),
    /payload\.fingerprint may have another pattern/,
  ],
  ['another format', (s) => (field(s, 'key_id').format = 'email'), /payload\.key_id may have another format/],
  [
    'a required field in the items of a list',
    (s) => {
      at(settlement(s), 'properties').why = { type: 'string' };
      list(settlement(s), 'required').push('why');
    },
    /payload\.settlements\[\]\.why may be absent: an earlier service sends it so/,
  ],
  [
    'a choice of the items of a list',
    (s) => list(at(settlement(s), 'properties', 'outcome'), 'enum').pop(),
    /payload\.settlements\[\]\.outcome may be "voided"/,
  ],
  [
    'a reply lacks a field',
    (s) => {
      delete at(charged(s), 'properties').credits_remaining;
      list(charged(s), 'required').pop();
    },
    /reply\.credits_remaining may be absent: an earlier service does not expect/,
  ],
  [
    'a field of a reply may be absent',
    (s) => list(charged(s), 'required').pop(),
    /reply\.credits_remaining may be absent: an earlier service does not expect/,
  ],
  [
    'a field of a reply has another type',
    (s) => (at(charged(s), 'properties', 'credits_used').type = 'string'),
    /reply\.credits_used may be of type string/,
  ],
  [
    'a new outcome',
    (s) =>
      list(at(s, ...charge, 'reply'), 'anyOf').push({
        type: 'object',
        required: ['outcome'],
        properties: { outcome: { const: 'lent' } },
      }),
    /reply may be of type object, outcome "lent"/,
  ],
  [
    'a new choice in a reply',
    (s) =>
      list(
        at(
          s,
          'messages',
          'billing.settle',
          'reply',
          'properties',
          'results',
          'items',
          'properties',
          'result',
        ),
        'enum',
      ).push('lost'),
    /reply\.results\[\]\.result may be "lost"/,
  ],
  [
    'a reply that may be null',
    (s) =>
      (at(s, 'messages', 'billing.get_balance').reply = {
        anyOf: [at(s, 'messages', 'billing.get_balance', 'reply'), { type: 'null' }],
      }),
    /reply may be of type null/,
  ],
  [
    'an event vanishes',
    (s) => delete at(s, 'broadcasts')['billing.key_changed'],
    /^billing\.key_changed is gone/,
  ],
  [
    'an event with a wider field',
    (s) => delete at(s, 'broadcasts', 'billing.key_changed', 'payload', 'properties', 'key_hash').pattern,
    /^billing\.key_changed payload\.key_hash may have another pattern/,
  ],
  [
    'an event with another required field',
    (s) => list(at(s, 'broadcasts', 'billing.key_changed', 'payload'), 'required').pop(),
    /^billing\.key_changed payload\.key_hash may be absent/,
  ],
  ['a new error code', (s) => list(s, 'errors').push('teapot'), /^error teapot is new/],
  ['an error code is removed', (s) => list(s, 'errors').shift(), /^error conflict is gone/],
];

/** What a gateway of this version waits for, once the revision is raised. */
export const curable: readonly [name: string, plant: Plant, problem: RegExp][] = [
  ['a new message', (s) => (at(s, 'messages')['billing.lend'] = at(s, ...charge)), /^billing\.lend is new/],
  [
    'a field that may be left out',
    (s) => list(payload(s), 'required').shift(),
    /payload\.charge_id may be absent: an earlier service refuses/,
  ],
  [
    'a wider field',
    (s) => (field(s, 'request_id').maxLength = 500),
    /payload\.request_id may have another maxLength/,
  ],
  [
    'a new choice',
    (s) => list(field(s, 'operation'), 'enum').push('export'),
    /payload\.operation may be "export"/,
  ],
  [
    'a field that may be null',
    (s) => (field(s, 'total').type = ['integer', 'null']),
    /payload\.total may be of type null/,
  ],
  [
    'a new field in a reply',
    (s) => {
      at(charged(s), 'properties').rank = { type: 'number' };
      list(charged(s), 'required').push('rank');
    },
    /reply\.rank may be absent: an earlier service replies so/,
  ],
];

/** What services of both versions cope with. */
export const harmless: readonly [name: string, plant: Plant][] = [
  ['nothing', () => undefined],
  ['a new optional field', (s) => (at(payload(s), 'properties').note = { type: 'string' })],
  ['a new optional field in a reply', (s) => (at(charged(s), 'properties').note = { type: 'string' })],
  ['a message that is no longer sent again', (s) => (at(s, ...charge).resend_after_ms = null)],
  ['a longer deadline', (s) => (at(s, ...charge).deadline_ms = 9_000)],
  ['a new event', (s) => (at(s, 'broadcasts')['billing.new'] = { payload: { type: 'object' } })],
];

import * as contracts from './index.js';
import { type Field, fieldsOf, type MessageContract, type ShapeClass } from './index.js';

/** A message with a payload as a gateway sends it, every optional field given. */
export interface Example {
  readonly pattern: string;
  readonly contract: MessageContract<unknown, unknown>;
  readonly payload: Readonly<Record<string, unknown>>;
  /** What is sent along with the payload. */
  readonly bytes?: Buffer;
}

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const account_id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c';
const time = '2026-01-31T12:00:00.123Z';
const hash = 'a1'.repeat(32);

/** The values of fields whose shape does not say enough to make one up. */
const values: Readonly<Record<string, unknown>> = {
  account_id,
  accounts: [{ url: 'https://www.youtube.com/@mirasolenne' }, { platform: 'x', handle: '@mirasolenne' }],
  after_slug: 'mira-solenne',
  code: '123456',
  credits: 10_000,
  into: 'mira-solenne',
  max_followers: 1_000,
  monthly_limit: 1_000,
  pages_url: 'https://api.example/account',
  price_cents: 180_000,
  session_hashes: [hash],
  settlements: [{ charge_id: id, account_id, outcome: 'voided' }],
  slug: 'mira-solenne',
  starts_at: '2099-01-31T12:00:00Z',
  url: 'https://x.com/mirasolenne',
  webhook_url: '',
};

const byFormat: Readonly<Record<string, string>> = {
  uuid: id,
  email: 'ops@acme.example',
  date: '2026-01-31',
  'date-time': time,
  uri: 'https://acme.example/',
};

/** Values of one message. Each list has cursors of its own, which say after which item a page begins. */
const afterTime = { cursor: cursorAfter(time, id) };
const ofMessage: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  [contracts.listAccounts.pattern]: afterTime,
  [contracts.listCalls.pattern]: afterTime,
  [contracts.listOrders.pattern]: afterTime,
  [contracts.listOrderReviews.pattern]: afterTime,
  [contracts.listStatement.pattern]: { cursor: cursorAfter('1', time, '0') },
  [contracts.listRemovals.pattern]: { cursor: id },
  [contracts.removeCreator.pattern]: { accounts: [{ platform: 'x', handle: '@mirasolenne' }] },
  // A session that is open cannot be opened again.
  [contracts.signInWithIdentity.pattern]: { session_hash: 'b2'.repeat(32) },
};

const withLines: ReadonlySet<string> = new Set([
  contracts.importChunk.pattern,
  contracts.compareChunk.pattern,
]);

/** One of every message. */
export const examples: readonly Example[] = Object.values(contracts)
  .filter((value) => typeof value === 'object' && 'pattern' in value)
  .map((contract: MessageContract<unknown, unknown>) => {
    const { pattern, payload } = contract;
    const bytes = withLines.has(pattern) ? { bytes: Buffer.from('{}\n') } : {};
    return { pattern, contract, payload: { ...exampleOf(payload), ...ofMessage[pattern] }, ...bytes };
  });

/** Each example with one field of a wrong type, and the name of that field. */
export const malformed = examples.flatMap((one) =>
  [...fieldsOf(one.contract.payload)].map(([field, { shape }]) => {
    const value = shape ? 'another type' : { of: ['another', 'type'] };
    return { ...one, field, payload: { ...one.payload, [field]: value } };
  }),
);

function exampleOf(Class: ShapeClass): Readonly<Record<string, unknown>> {
  const fields = [...fieldsOf(Class)];
  return Object.fromEntries(fields.map(([name, field]) => [name, values[name] ?? valueOf(field)]));
}

function valueOf({ schema, shape }: Field): unknown {
  if (shape) return schema.type === 'array' ? [exampleOf(shape())] : exampleOf(shape());
  if (schema.type === 'array') return [valueOf({ schema: schema.items ?? {} } as Field)];
  if (schema.enum) return schema.enum.at(-1);
  if (schema.pattern?.includes('{64}')) return hash;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer') return schema.minimum ?? 0;
  const [first] = schema.anyOf ?? [];
  return byFormat[schema.format ?? first?.format ?? ''] ?? 'Acme';
}

function cursorAfter(...position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

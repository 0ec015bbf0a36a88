import { type Records } from '../books/records.js';
import { RefusedRequest } from '../books/stand-in-error.js';
import { type Permissions, type Resource } from './permissions.js';

/** Of each type of object the fields that hold the id of another, and the type of that. */
const references: Readonly<Record<string, Readonly<Record<string, keyof typeof kinds>>>> = {
  'checkout.session': { payment_intent: 'payment_intent' },
  payment_intent: { latest_charge: 'charge' },
  charge: { payment_intent: 'payment_intent', balance_transaction: 'balance_transaction' },
  refund: { payment_intent: 'payment_intent', charge: 'charge' },
  dispute: { payment_intent: 'payment_intent', charge: 'charge' },
};

interface Kind {
  /** What the key has to be allowed to read. */
  readonly resource: Resource;
  readonly find: (records: Records, id: string) => object;
}

const kinds = {
  payment_intent: { resource: 'payment_intents', find: (records, id) => records.paymentIntent(id) },
  charge: { resource: 'charges', find: (records, id) => records.charge(id) },
  balance_transaction: { resource: 'charges', find: (records, id) => records.balanceTransaction(id) },
} satisfies Record<string, Kind>;

/** Replaces ids by their objects, in place. A path is as `payment_intent.latest_charge`, or `data.charge` in a list. */
export class Expansion {
  constructor(
    private readonly records: Records,
    private readonly permissions: Permissions,
  ) {}

  expand(object: object, path: string): void {
    const type: unknown = Reflect.get(object, 'object');
    if (type !== 'list') return this.expandIn(object, String(type), path.split('.'));
    const [data, ...rest] = path.split('.');
    if (data !== 'data' || rest.length === 0) throw notExpandable(path);
    for (const one of Reflect.get(object, 'data') as object[]) this.expand(one, rest.join('.'));
  }

  private expandIn(object: object | undefined, type: string, [name = '', ...rest]: readonly string[]): void {
    const kind = references[type]?.[name];
    if (kind === undefined) throw notExpandable(name);
    const { resource, find }: Kind = kinds[kind];
    this.permissions.check(resource, 'read');
    const value: unknown = object && Reflect.get(object, name);
    const found = typeof value === 'string' ? structuredClone(find(this.records, value)) : value;
    const inner = typeof found === 'object' && found !== null ? found : undefined;
    if (object && inner) Reflect.set(object, name, inner);
    if (rest.length > 0) this.expandIn(inner, kind, rest);
  }
}

function notExpandable(name: string): RefusedRequest {
  return new RefusedRequest(400, `This property cannot be expanded (${name}).`, { param: 'expand' });
}

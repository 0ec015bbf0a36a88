import { type Api } from './api/api.js';
import { type Failure, failureKinds } from './api/failures.js';
import { type Access, accesses, type Resource, resources } from './api/permissions.js';
import { operations } from './api/routes.js';
import { type PriceChanges } from './books/amounts.js';
import { type AnotherAccount, type Books } from './books/books.js';
import { type PaymentMethod } from './books/payments.js';
import { StandInError } from './books/stand-in-error.js';
import { type Manner, type ReleaseOrder, thinEvent, type Webhooks } from './webhooks.js';

/** The fields of a form or JSON. */
type Fields = Readonly<Record<string, string>>;

/** What buyers, banks and the shop's own staff do, and the weather of the network, as requests. */
export interface ControlTargets extends Books {
  readonly anotherAccount: AnotherAccount;
  readonly api: Api;
  readonly webhooks: Webhooks;
}

/** A request below `/_controls`; `fields` are those of its form or JSON. */
export interface ControlRequest {
  readonly path: string;
  readonly fields: Fields;
}

type Run = (targets: ControlTargets, id: string, fields: Fields) => object;

const controls: readonly (readonly [RegExp, Run])[] = [
  [
    /^\/sessions\/(\w+)\/pay$/,
    ({ payments }, id, { method = 'card', ...changes }) =>
      payments.pay(
        id,
        oneOf<PaymentMethod>('method', method, ['card', 'declined card', 'delayed']),
        priceChanges(changes),
      ),
  ],
  [
    /^\/sessions\/(\w+)\/settle$/,
    ({ payments }, id, { outcome = 'succeeded' }) =>
      payments.settle(id, oneOf('outcome', outcome, ['succeeded', 'failed'])),
  ],
  [/^\/sessions\/(\w+)\/expire$/, ({ payments }, id) => payments.expire(id)],
  [
    /^\/payments\/(\w+)\/refund$/,
    ({ returns }, id, { amount, parts }) =>
      parts === undefined
        ? returns.refund(id, integerIfGiven('amount', amount))
        : returns.refundInParts(id, integerIfGiven('parts', parts) ?? 1),
  ],
  [/^\/refund-all$/, ({ returns }) => ({ refunded: returns.refundAll().length })],
  [/^\/refunds\/(\w+)\/fail$/, ({ returns }, id) => returns.failRefund(id)],
  [
    /^\/payments\/(\w+)\/dispute$/,
    ({ returns }, id, { amount, currency, withdrawn, inquiry, further }) =>
      returns.dispute(id, {
        amount: integerIfGiven('amount', amount),
        currency,
        withdrawn: integerIfGiven('withdrawn', withdrawn),
        isInquiry: inquiry === 'true',
        isFurther: further === 'true',
      }),
  ],
  [/^\/payments\/(\w+)\/fraud-warning$/, ({ returns }, id, { type }) => returns.warnOfFraud(id, type)],
  [/^\/disputes\/(\w+)\/respond$/, ({ returns }, id) => returns.respond(id)],
  [/^\/disputes\/(\w+)\/escalate$/, ({ returns }, id) => returns.escalate(id)],
  [
    /^\/disputes\/(\w+)\/close$/,
    ({ returns }, id, { outcome = 'lost' }) =>
      returns.closeDispute(id, oneOf('outcome', outcome, ['won', 'lost'])),
  ],
  [
    /^\/webhooks$/,
    ({ webhooks }, _id, { mode = 'send', copies, delay_ms }) => {
      webhooks.manner = {
        mode: oneOf<Manner['mode']>('mode', mode, ['send', 'hold', 'drop']),
        copies: integerIfGiven('copies', copies) ?? 1,
        delayMs: integerIfGiven('delay_ms', delay_ms) ?? 0,
      };
      return webhooks.manner;
    },
  ],
  [
    /^\/webhooks\/release$/,
    ({ webhooks }, _id, { order = 'as happened' }) => {
      const released = webhooks.waiting.map(({ type }) => type);
      webhooks.release(oneOf<ReleaseOrder>('order', order, ['as happened', 'reversed', 'shuffled']));
      return { released };
    },
  ],
  [
    /^\/webhooks\/thin$/,
    ({ webhooks }, _id, { type }) => {
      const event = thinEvent(type);
      webhooks.handleEvent(event);
      return event;
    },
  ],
  [
    /^\/another-account\/sale$/,
    ({ anotherAccount }, _id, { reference, connected = 'true' }) => {
      anotherAccount.isConnected = oneOf('connected', connected, ['true', 'false']) === 'true';
      return anotherAccount.sell(reference);
    },
  ],
  [
    /^\/another-account\/refund-all$/,
    ({ anotherAccount }) => ({ refunded: anotherAccount.returns.refundAll().length }),
  ],
  [
    /^\/tax$/,
    ({ payments }, _id, { percent }) => {
      payments.taxPercent = numberIfGiven('percent', percent) ?? 0;
      return { percent: payments.taxPercent };
    },
  ],
  [
    /^\/failures$/,
    ({ api }, _id, fields) => {
      const failure = failureOf(fields);
      api.failures.add(failure);
      return failure;
    },
  ],
  [
    /^\/failures\/end$/,
    ({ api }) => {
      api.failures.clear();
      return {};
    },
  ],
  [
    /^\/permissions$/,
    ({ api }, _id, fields) => {
      const allowed: Partial<Record<Resource, Access>> = {};
      for (const [resource, access] of Object.entries(fields)) {
        allowed[oneOf('resource', resource, resources)] = oneOf(resource, access, accesses);
      }
      api.permissions.restrict(allowed);
      return fields;
    },
  ],
];

/** Does what a request asks for. Throws `StandInError` when there is no such control or it can't be done now. */
export function control(targets: ControlTargets, { path, fields }: ControlRequest): object {
  for (const [pattern, run] of controls) {
    const found = pattern.exec(path);
    if (found) return run(targets, found[1] ?? '', fields);
  }
  throw new StandInError(404, `There is no control ${path}.`);
}

/** `undefined` when the price remains as it is. */
function priceChanges({ tax_percent, discount_percent, discount_cents }: Fields): PriceChanges | undefined {
  const changes = {
    taxPercent: numberIfGiven('tax_percent', tax_percent),
    discountPercent: numberIfGiven('discount_percent', discount_percent),
    discountCents: integerIfGiven('discount_cents', discount_cents),
  };
  return Object.values(changes).some((value) => value !== undefined) ? changes : undefined;
}

function failureOf({ failure = '500', when = 'before', operation, times }: Fields): Failure {
  const count = integerIfGiven('times', times);
  return {
    kind: oneOf('failure', failure, failureKinds),
    when: oneOf<'before' | 'after'>('when', when, ['before', 'after']),
    ...(operation !== undefined && { operation: oneOf('operation', operation, operations) }),
    ...(count !== undefined && { times: count }),
  };
}

/** Throws when it is none of them. */
function oneOf<Value extends string>(name: string, given: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === given);
  if (found === undefined) {
    throw new StandInError(400, `${name} must be one of: ${values.join(', ')}.`, { param: name });
  }
  return found;
}

function integerIfGiven(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StandInError(400, `${name} must be a whole number.`, { param: name });
}

/** As `7.7`. */
function numberIfGiven(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,3}(\.\d{1,3})?$/.test(text)) return Number(text);
  throw new StandInError(400, `${name} must be a number.`, { param: name });
}

import { type Books } from '../books/books.js';
import { type PaymentMethod } from '../books/payments.js';
import { StandInError } from '../books/stand-in-error.js';
import { type Manner, type ReleaseOrder, type Webhooks } from '../webhooks/webhooks.js';

/** What buyers, banks and the shop's own staff do, and the weather of the network, as requests. */
export interface ControlTargets extends Books {
  readonly webhooks: Webhooks;
}

/** A request below `/_controls`; `fields` are those of its form or JSON. */
export interface ControlRequest {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

type Run = (targets: ControlTargets, id: string, fields: ControlRequest['fields']) => object;

const controls: readonly (readonly [RegExp, Run])[] = [
  [
    /^\/sessions\/(\w+)\/pay$/,
    ({ payments }, id, { method = 'card' }) =>
      payments.pay(id, oneOf<PaymentMethod>('method', method, ['card', 'declined card', 'delayed'])),
  ],
  [
    /^\/sessions\/(\w+)\/settle$/,
    ({ payments }, id, { outcome = 'succeeded' }) =>
      payments.settle(id, oneOf('outcome', outcome, ['succeeded', 'failed'])),
  ],
  [/^\/sessions\/(\w+)\/expire$/, ({ payments }, id) => payments.expire(id)],
  [
    /^\/payments\/(\w+)\/refund$/,
    ({ returns }, id, { amount }) => returns.refund(id, integerIfGiven('amount', amount)),
  ],
  [/^\/refunds\/(\w+)\/fail$/, ({ returns }, id) => returns.failRefund(id)],
  [
    /^\/payments\/(\w+)\/dispute$/,
    ({ returns }, id, { amount, inquiry }) =>
      returns.dispute(id, { amount: integerIfGiven('amount', amount), isInquiry: inquiry === 'true' }),
  ],
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
];

/** Does what a request asks for. Throws `StandInError` when there is no such control or it can't be done now. */
export function control(targets: ControlTargets, { path, fields }: ControlRequest): object {
  for (const [pattern, run] of controls) {
    const found = pattern.exec(path);
    if (found) return run(targets, found[1] ?? '', fields);
  }
  throw new StandInError(404, `There is no control ${path}.`);
}

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

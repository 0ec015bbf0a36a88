import { paymentMethods } from './books/payments.js';
import { type Books } from './books/returns.js';
import { StandInError } from './books/stand-in-error.js';
import { webhookModes, type Webhooks } from './webhooks.js';

/** The fields of the JSON. */
type Fields = Readonly<Record<string, string>>;

/** What buyers, banks and the shop's own staff act on. */
export interface ControlTargets extends Books {
  readonly webhooks: Webhooks;
}

type Run = (targets: ControlTargets, id: string, fields: Fields) => object;

/** Actions by path; `:id` is the id of the object. */
const controls: Readonly<Record<string, Run>> = {
  '/sessions/:id/pay': ({ payments }, id, { method = 'card', tax_percent, discount_percent }) =>
    payments.pay(id, oneOf('method', method, paymentMethods), {
      taxPercent: numberIfGiven('tax_percent', tax_percent),
      discountPercent: numberIfGiven('discount_percent', discount_percent),
    }),
  '/sessions/:id/settle': ({ payments }, id, { outcome = 'succeeded' }) =>
    payments.settle(id, oneOf('outcome', outcome, ['succeeded', 'failed'] as const)),
  '/sessions/:id/expire': ({ payments }, id) => payments.expire(id),
  '/payments/:id/refund': ({ returns }, id, { amount }) =>
    returns.refund(id, numberIfGiven('amount', amount)),
  '/refunds/:id/fail': ({ returns }, id) => returns.failRefund(id),
  '/payments/:id/dispute': ({ returns }, id, { amount, inquiry }) =>
    returns.dispute(id, { amount: numberIfGiven('amount', amount), isInquiry: inquiry === 'true' }),
  '/disputes/:id/close': ({ returns }, id, { outcome = 'lost' }) =>
    returns.closeDispute(id, oneOf('outcome', outcome, ['won', 'lost'] as const)),
  '/webhooks': ({ webhooks }, _id, { mode = 'send' }) => {
    webhooks.mode = oneOf('mode', mode, webhookModes);
    return { mode };
  },
};

/** Does what a request asks for. Throws `StandInError` when there is no such control or it can't be done now. */
export function control(targets: ControlTargets, path: string, fields: Fields): object {
  const [, kind, id = '', action] = /^(\/\w+)(?:\/(\w+)(\/[\w-]+))?$/.exec(path) ?? [];
  const run = controls[action === undefined ? `${kind}` : `${kind}/:id${action}`];
  if (!run) throw new StandInError(404, `There is no control ${path}.`);
  return run(targets, id, fields);
}

/** Throws when it is none of them. */
function oneOf<Value extends string>(name: string, given: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === given);
  if (found !== undefined) return found;
  throw new StandInError(400, `${name} must be one of: ${values.join(', ')}.`, { param: name });
}

/** Reads a number such as `900` or `7.7`. */
function numberIfGiven(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text)) return Number(text);
  throw new StandInError(400, `${name} must be a number.`, { param: name });
}

import { type PaymentMethod } from './books/payments.js';
import { type Books } from './books/returns.js';
import { StandInError } from './books/stand-in-error.js';

/** The JSON of a request. */
export interface ControlFields {
  readonly method?: PaymentMethod;
  readonly tax_percent?: number;
  readonly discount_percent?: number;
  /** Cents. */
  readonly amount?: number;
  readonly inquiry?: boolean;
  readonly outcome?: 'failed' | 'won';
}

type Run = (books: Books, id: string, fields: ControlFields) => object;

/** What buyers and banks do, by path; `:id` is the id of the object. */
const controls: Readonly<Record<string, Run>> = {
  '/sessions/:id/pay': ({ payments }, id, { method = 'card', tax_percent, discount_percent }) =>
    payments.pay(id, method, { taxPercent: tax_percent, discountPercent: discount_percent }),
  '/sessions/:id/settle': ({ payments }, id, { outcome }) =>
    payments.settle(id, outcome === 'failed' ? 'failed' : 'succeeded'),
  '/payments/:id/refund': ({ returns }, id, { amount }) => returns.refund(id, amount),
  '/payments/:id/dispute': ({ returns }, id, { amount, inquiry }) =>
    returns.dispute(id, { amount, isInquiry: inquiry }),
  '/disputes/:id/close': ({ returns }, id, { outcome }) =>
    returns.closeDispute(id, outcome === 'won' ? 'won' : 'lost'),
};

/** Does what a request asks for. Throws `StandInError` when there is no such control or it can't be done now. */
export function control(books: Books, path: string, fields: ControlFields): object {
  const [, kind, id = '', action] = /^(\/\w+)\/(\w+)(\/\w+)$/.exec(path) ?? [];
  const run = controls[`${kind}/:id${action}`];
  if (!run) throw new StandInError(404, `There is no control ${path}.`);
  return run(books, id, fields);
}

import { type OrderAction, type OrderConcern, type OrderReview, refundReasons } from '#contracts';
import { path } from '../admin-client.js';
import { type Column, fields, page, pairs } from '../output/table.js';
import { type Session } from '../session.js';
import { command, group, option, pageOptions } from './command.js';

const concernWords: Record<OrderConcern, string> = {
  problem: 'problem',
  not_recovered: 'credits not recovered',
};

const actionWords: Record<OrderAction, readonly [options: string, effect: string]> = {
  grant: ['resolve ORDER --grant', 'grants its credits although the payment differs'],
  mark_refunded: ['resolve ORDER --refunded', 'ends the problem: the money was returned'],
  refund: ['refund ORDER', 'refunds the rest of the payment and takes the credits back'],
  accept: ['accept ORDER', 'writes off credits that were not recovered, until more are missing'],
};

const attention: Column<OrderReview> = [
  'attention',
  ({ concerns }) => concerns.map((concern) => concernWords[concern]).join(', ') || null,
];

const orderColumns: Column<OrderReview>[] = [
  'id',
  'ordered_at',
  ['account', ({ account }) => account.name],
  'pack',
  'price_cents',
  'returned_cents',
  'state',
  attention,
];

const orderFields: Column<OrderReview>[] = [
  ['order', 'id'],
  'account',
  'person',
  'ordered_at',
  'pack',
  'credits',
  'price_cents',
  'state',
  attention,
  'problem',
  ['problem since', 'problem_at'],
  'resolution',
  'resolved_at',
  'accepted_at',
  'paid',
  'returned_cents',
  'is_dispute_lost',
  ['returns', ({ returns_pending }) => (returns_pending ? 'could not be read from Stripe yet' : 'read')],
  'granted_at',
  'credits_left',
  ['taken back', 'credits_taken_back'],
  ['not recovered', 'credits_not_recovered'],
  ['session', 'checkout_session_id'],
  ['payment', 'payment_intent_id'],
  ['receipt', 'receipt_url'],
  'invoice',
  ['checked', 'answered_at'],
];

export const orderCommands = group('orders', 'packs bought by card, and decisions about them', [
  command('list', 'list the orders of all accounts, newest first, a page at a time', {
    call: 'GET /orders',
    options: [
      option('--attention', 'only orders that need an operator'),
      option('--account <account>', 'only orders of this account').as('account_id'),
      ...pageOptions('orders'),
    ],
    show: page('orders', orderColumns),
  }),
  command('show <order>', 'show one order and your options', {
    call: 'GET /orders/:order',
    show: showOrder,
  }),
  command('resolve <order>', 'end the review of an order whose payment differs', {
    options: [
      option('--grant', 'grant its credits although the payment differs').conflicts('refunded'),
      option('--refunded', 'the money was returned, outside of this order or at Stripe'),
    ],
    run: async (session, given: { order: string; grant?: true; refunded?: true }, self) => {
      const { order, grant, refunded } = given;
      if (!grant && !refunded) self.error('error: give --grant or --refunded', { exitCode: 2 });
      const body = { resolution: grant ? 'granted' : 'refunded' };
      const resolved = await session.client.post<OrderReview>(path`/orders/${order}/resolve`, body);
      session.print(resolved, (shown) => showOrder(shown, {}, session));
    },
  }),
  command('refund <order>', 'refund the rest of the payment and take the credits back', {
    call: 'POST /orders/:order/refund',
    options: [option('--reason <reason>', 'reason, sent to Stripe').choices(refundReasons)],
    show: showOrder,
  }),
  command('accept <order>', 'write off the credits of an order that were not recovered', {
    call: 'POST /orders/:order/accept',
    show: showOrder,
  }),
]);

/** Everything about an order, and the operator's options as commands to copy. */
function showOrder(order: OrderReview, _given: object, { io }: Session): string {
  const options = order.actions.map((action) => {
    const [words, effect] = actionWords[action];
    return [`${io.command} orders ${words.replace('ORDER', order.id)}`, effect] as const;
  });
  const facts = fields(orderFields, order);
  return options.length === 0 ? facts : `${facts}\n\nOptions:\n${pairs(options)}`;
}

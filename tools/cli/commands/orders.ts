import { type OrderAction, type OrderReview, refundReasons } from '#contracts';
import { path } from '../admin-client.js';
import { type Column, pairs } from '../output/show.js';
import { type Session } from '../session.js';
import { command, group, option, pageOptions } from './command.js';

const actionWords: Record<OrderAction, readonly [options: string, effect: string]> = {
  grant: ['resolve ORDER --grant', 'grants its credits although the payment differs'],
  mark_refunded: ['resolve ORDER --refunded', 'ends the problem: the money was returned'],
  refund: ['refund ORDER', 'refunds the rest of the payment and takes the credits back'],
  accept: ['accept ORDER', 'writes off credits that were not recovered, until more are missing'],
};

const orderColumns: Column<OrderReview>[] = [
  'id',
  'ordered_at',
  ['account', ({ account }) => account.name],
  ...(['pack', 'price_cents', 'returned_cents', 'state', 'concerns'] as const),
];

export const orderCommands = group('orders', 'packs bought by card, and decisions about them', [
  command('list', 'list the orders of all accounts, newest first, a page at a time', {
    call: 'GET /orders',
    options: [
      option('--attention', 'only orders that need an operator'),
      option('--account <account>', 'only orders of this account').as('account_id'),
      ...pageOptions,
    ],
    columns: orderColumns,
  }),
  command('show <order>', 'show one order and your options', {
    call: 'GET /orders/:order',
    remark: optionsOf,
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
      session.print(resolved);
    },
  }),
  command('refund <order>', 'refund the rest of the payment and take the credits back', {
    call: 'POST /orders/:order/refund',
    options: [option('--reason <reason>', 'reason, sent to Stripe').choices(refundReasons)],
    remark: optionsOf,
  }),
  command('accept <order>', 'write off the credits of an order that were not recovered', {
    call: 'POST /orders/:order/accept',
    remark: optionsOf,
  }),
]);

/** The operator's options as commands to copy. */
function optionsOf(order: OrderReview, { io }: Session): string | undefined {
  const options = order.actions.map((action) => {
    const [words, effect] = actionWords[action];
    return [`${io.command} orders ${words.replace('ORDER', order.id)}`, effect] as const;
  });
  return options.length === 0 ? undefined : `Options:\n${pairs(options)}`;
}

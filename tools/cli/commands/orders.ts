import { type OrderResolution, type OrderReview, type RefundReason, refundReasons } from '#contracts';
import { type Command } from 'commander';
import { path } from '../admin-client.js';
import { nextPage } from '../output/table.js';
import { type Session } from '../session.js';
import { type CommandGroup, option, type PageOptions, pageOptions } from './command.js';
import { orderTable, showOrder } from './show-order.js';

interface OrderList {
  readonly orders: OrderReview[];
  readonly next_cursor: string | null;
}

interface ListOptions extends PageOptions {
  readonly attention?: true;
  readonly account?: string;
}

interface ResolveOptions {
  readonly grant?: true;
  readonly refunded?: true;
}

export const orderCommands: CommandGroup = {
  group: 'orders',
  help: 'packs bought by card, and decisions about them',
  commands: [
    {
      usage: 'list',
      help: 'list the orders of all accounts, newest first, a page at a time',
      options: [
        option('--attention', 'only orders that need an operator'),
        option('--account <account>', 'only orders of this account'),
        ...pageOptions('orders'),
      ],
      run:
        (session) =>
        ({ attention, account, limit, cursor }: ListOptions) =>
          session.get<OrderList>(
            '/orders',
            ({ orders, next_cursor }) => orderTable(orders) + nextPage(next_cursor),
            { attention: attention && 'true', account_id: account, limit, cursor },
          ),
    },
    {
      usage: 'show <order>',
      help: 'show one order and your options',
      run: (session) => async (order: string) =>
        print(session, await session.client.get<OrderReview>(path`/orders/${order}`)),
    },
    {
      usage: 'resolve <order>',
      help: 'end the review of an order whose payment differs',
      options: [
        option('--grant', 'grant its credits although the payment differs').conflicts('refunded'),
        option('--refunded', 'the money was returned, outside of this order or at Stripe'),
      ],
      run:
        (session) =>
        async (order: string, { grant, refunded }: ResolveOptions, command: Command) => {
          if (!grant && !refunded) command.error('error: give --grant or --refunded', { exitCode: 2 });
          const resolution: OrderResolution = grant ? 'granted' : 'refunded';
          await decide(session, order, 'resolve', { resolution });
        },
    },
    {
      usage: 'refund <order>',
      help: 'refund the rest of the payment and take the credits back',
      options: [option('--reason <reason>', 'reason, sent to Stripe').choices(refundReasons)],
      run:
        (session) =>
        (order: string, { reason }: { reason?: RefundReason }) =>
          decide(session, order, 'refund', { reason }),
    },
    {
      usage: 'accept <order>',
      help: 'write off the credits of an order that were not recovered',
      run: (session) => (order: string) => decide(session, order, 'accept', {}),
    },
  ],
};

async function decide(session: Session, order: string, action: string, body: object): Promise<void> {
  print(session, await session.client.post<OrderReview>(path`/orders/${order}/${action}`, body));
}

function print(session: Session, order: OrderReview): void {
  session.print(order, (shown) => showOrder(shown, session.io.command));
}

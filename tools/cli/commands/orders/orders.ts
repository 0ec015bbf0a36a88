import { Option, type Command } from 'commander';
import {
  type KeyView,
  type OrderResolution,
  type OrderReview,
  type RefundReason,
  refundReasons,
} from '@app/contracts';
import { path } from '../../admin-client.js';
import { parseCount } from '../../arguments.js';
import { type Session } from '../../session.js';
import { nextPage } from '../next-page.js';
import { orderTable, showOrder } from './show-order.js';

interface OrderList {
  readonly orders: OrderReview[];
  readonly next_cursor: string | null;
}

interface ListOptions {
  readonly attention?: true;
  readonly account?: string;
  readonly limit?: string;
  readonly cursor?: string;
}

/** `orders list | show | resolve | refund | accept`. */
export function addOrders(program: Command, session: Session): void {
  const orders = program.command('orders').description('packs bought by card, and what to do about them');
  addList(orders, session);
  orders
    .command('show')
    .description('one order, and what can be done about it')
    .argument('<order>', 'order id')
    .action(async (order: string) => {
      const call = { method: 'GET', path: path('orders', order) } as const;
      await print(session, await session.client.call<OrderReview>(call));
    });
  addResolve(orders, session);
  addRefund(orders, session);
  orders
    .command('accept')
    .description(
      'leave an order as it is: answers its fraud warning, writes off credits that were not recovered',
    )
    .argument('<order>', 'order id')
    .action((order: string) => decide(session, order, 'accept', {}));
}

function addList(orders: Command, session: Session): void {
  orders
    .command('list')
    .description('orders of all accounts, newest first, a page at a time')
    .option('--attention', 'only those that you have to look at')
    .option('--account <account>', 'only those of an account')
    .option('--limit <n>', 'orders on the page (default: 50)', parseCount)
    .option('--cursor <cursor>', 'cursor from the previous page')
    .action(async ({ attention, account, limit, cursor }: ListOptions) => {
      const query = { attention: attention && 'true', account_id: account, limit, cursor };
      const page = await session.client.call<OrderList>({ method: 'GET', path: path('orders'), query });
      session.print(page, ({ orders: rows, next_cursor }) => orderTable(rows) + nextPage(next_cursor));
    });
}

function addResolve(orders: Command, session: Session): void {
  orders
    .command('resolve')
    .description('end the problem of an order for which something else was paid than was ordered')
    .argument('<order>', 'order id')
    .addOption(new Option('--grant', 'its credits are granted, whatever was paid').conflicts('refunded'))
    .option('--refunded', 'the money went back, outside of this order or at Stripe')
    .action(
      async (order: string, { grant, refunded }: { grant?: true; refunded?: true }, command: Command) => {
        if (!grant && !refunded) command.error('error: give --grant or --refunded', { exitCode: 2 });
        const resolution: OrderResolution = grant ? 'granted' : 'refunded';
        await decide(session, order, 'resolve', { resolution });
      },
    );
}

function addRefund(orders: Command, session: Session): void {
  orders
    .command('refund')
    .description('give back all that is left of the payment, and take the credits along')
    .argument('<order>', 'order id')
    .addOption(new Option('--reason <reason>', 'why; told to Stripe').choices(refundReasons))
    .action((order: string, body: { reason?: RefundReason }) => decide(session, order, 'refund', body));
}

async function decide(session: Session, order: string, action: string, body: object): Promise<void> {
  const call = { method: 'POST', path: path('orders', order, action), body } as const;
  await print(session, await session.client.call<OrderReview>(call));
}

/** With the keys of the account where a card network warns of fraud: switching them off is the next thing to decide. */
async function print(session: Session, order: OrderReview): Promise<void> {
  const isWarned = !session.json && order.concerns.includes('fraud_warning');
  const keys = isWarned ? await activeKeys(session, order.account.id) : [];
  session.print(order, (shown) => showOrder(shown, keys));
}

async function activeKeys(session: Session, account: string): Promise<KeyView[]> {
  const call = { method: 'GET', path: path('accounts', account, 'keys') } as const;
  const { keys } = await session.client.call<{ keys: KeyView[] }>(call);
  return keys.filter(({ active }) => active);
}

import {
  fixedPacks,
  type ListOrdersRequest,
  type OrderPath,
  type OrderView,
  type Page,
  type SellingView,
  ServiceError,
  type StartOrderReply,
  type StartOrderRequest,
} from '#contracts';
import { messageOf } from '#platform';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { hourMs } from '../durations.js';
import { conflict, rateLimited } from '../errors.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { OrderCheckout } from './order-checkout.js';
import { OrderRefresh } from './order-refresh.js';
import { isChecked, toOrderView } from './order-view.js';
import { type Order } from './order.entity.js';
import { noSuchOrder, OrdersRepository } from './orders.repository.js';
import { SELLING_OPTIONS, type SellingOptions } from './provider/selling-options.js';
import { UnknownToProvider } from './provider/stripe-client.js';
import { StripePayments } from './provider/stripe-payments.js';

/** More than any customer needs; keeps a script from filling the table and Stripe. */
const ordersPerHourMax = 20;
/** Stripe knows an Idempotency-Key for 24 hours: later, the same order would get a second session. */
const startableMs = 20 * hourMs;
/** Stripe's pages of receipts and invoices can be opened for 30 days. */
const receiptShownForMs = 25 * 24 * hourMs;
/** Views that ask Stripe at once, of a replica; more are shown as last known. */
const viewsAtOnceMax = 4;

/** Starts, shows and lists orders of packs by card. */
@Injectable()
export class OrdersService {
  private readonly logger = new Logger(OrdersService.name);
  private viewsAsking = 0;

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly accounts: AccountsRepository,
    private readonly orders: OrdersRepository,
    private readonly stripe: StripePayments,
    private readonly refreshing: OrderRefresh,
    private readonly checkout: OrderCheckout,
    @Inject(SELLING_OPTIONS) private readonly options: SellingOptions,
  ) {}

  selling(): SellingView {
    return {
      is_open: this.stripe.isOpen,
      is_test: !this.stripe.isLive,
      checkout_origin: new URL(this.options.checkoutUrl).origin,
      adds_tax: this.options.automaticTax === true,
      makes_invoices: this.options.invoices === true,
    };
  }

  /**
   * Stores the order before Stripe is asked, so that nothing can be paid that is not known here. Throws as
   * `startOrder` says.
   */
  async start(request: StartOrderRequest): Promise<StartOrderReply> {
    this.stripe.requireOpen();
    const stored = await this.transactions.run([request.account_id], (locked) => this.store(locked, request));
    const refreshed = await this.refreshIfDue(stored);
    const orderUrl = `${request.pages_url}/buy/${stored.id}`;
    // `returned=1`: the buyer has come back from Stripe; without it, the page was only opened.
    const pages = { successUrl: `${orderUrl}?returned=1`, cancelUrl: `${request.pages_url}/buy` };
    const isWithoutPage = refreshed.state === 'open' && refreshed.checkoutUrl === null;
    const order = isWithoutPage ? await this.checkout.begin(refreshed, pages) : refreshed;
    const now = await this.orders.now();
    // A buyer who may have paid is never sent to pay again.
    const isPayable = order.state === 'open' && isChecked(order, now);
    return {
      order: toOrderView(order, now),
      checkout_url: (isPayable ? order.checkoutUrl : null) ?? orderUrl,
    };
  }

  /**
   * The order as Stripe has it now; as last known when it has ended, when a view asked within the last ten seconds, while
   * many views ask, and when there is no answer. Throws `not_found`.
   */
  async refresh({ account_id, order_id }: OrderPath): Promise<OrderView> {
    const order = await this.orders.get(order_id);
    if (order.accountId !== account_id) throw noSuchOrder();
    return toOrderView(await this.refreshIfDue(order), await this.orders.now());
  }

  /** Newest first. */
  async list({ account_id: accountId, ...request }: ListOrdersRequest): Promise<Page<OrderView>> {
    const [{ items, next_cursor }, now] = await Promise.all([
      this.orders.page(accountId, request),
      this.orders.now(),
    ]);
    return { items: items.map((order) => toOrderView(order, now)), next_cursor };
  }

  private async store(locked: LockedAccounts, request: StartOrderRequest): Promise<Order> {
    const { account_id: accountId, order_id: id, person_id: personId, pack } = request;
    await this.accounts.requireNotSuspended(locked, accountId);
    const known = await this.orders.find(id, locked);
    if (known) {
      refuseOther(known, request, locked.now);
      return known;
    }
    const lately = new Date(locked.now.getTime() - hourMs);
    if ((await this.orders.countSince(locked, accountId, lately)) >= ordersPerHourMax) {
      throw rateLimited('Too many orders were started within an hour; try again later.');
    }
    const { credits, priceCents } = fixedPacks[pack];
    const ordered = { id, accountId, personId, pack, credits, priceCents };
    return this.orders.insert(locked, { ...ordered, state: 'open' });
  }

  /** Whether the page of the receipt, whose address expires, has to be read again. */
  private async isReceiptOld({ receiptUrl, answeredAt }: Order): Promise<boolean> {
    if (receiptUrl === null || answeredAt === null) return false;
    return (await this.orders.now()).getTime() - answeredAt.getTime() >= receiptShownForMs;
  }

  private async refreshIfDue(order: Order): Promise<Order> {
    if (!this.stripe.isOpen || order.checkoutSessionId === null) return order;
    if (!isAwaited(order) && !(await this.isReceiptOld(order))) return order;
    if (this.viewsAsking >= viewsAtOnceMax) return order;
    this.viewsAsking += 1;
    try {
      if (!(await this.orders.beginView(order.id))) return order;
      return await this.refreshing.refresh(order, 'return_page');
    } catch (error) {
      const isNoAnswer = error instanceof ServiceError && error.code === 'unavailable';
      if (!isNoAnswer && !(error instanceof UnknownToProvider)) throw error;
      this.logger.warn(`Order ${order.id} is shown as last known: ${messageOf(error)}`);
      // It may have been paid since an answer that is still fresh.
      return { ...order, answeredAt: null };
    } finally {
      this.viewsAsking -= 1;
    }
  }
}

/** Whether Stripe is still to report the order's payment, or the number of its invoice. */
function isAwaited({ state, invoicePending }: Order): boolean {
  return state === 'open' || state === 'processing' || invoicePending;
}

function refuseOther(known: Order, request: StartOrderRequest, now: Date): void {
  if (known.accountId !== request.account_id || known.pack !== request.pack) {
    throw conflict('This order ID belongs to another order. Start a new one.');
  }
  const isOld = now.getTime() - known.orderedAt.getTime() > startableMs;
  if (isOld && known.checkoutSessionId === null) {
    throw conflict('This order has expired. Start a new one.');
  }
}

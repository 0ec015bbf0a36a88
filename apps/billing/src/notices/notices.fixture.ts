import { type ChangeNoticesRequest } from '#contracts';
import { MailInbox, WebhookReceiver } from '#testing';
import { v7 as uuidv7 } from 'uuid';
import { type Type } from '@nestjs/common';
import { dayMs } from '../durations.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { type ComposedBilling } from '../composed-billing.fixture.js';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { MAIL_OPTIONS, type MailOptions } from '../people/mail/mail-server.js';
import { MailService } from '../people/mail/mail.service.js';
import { type DataByKind } from './notice.entity.js';
import { NoticesService } from './notices.service.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { DeliveryWorker } from './delivery-worker.js';
import { WebhookSender } from './webhooks/webhook-sender.js';

export const start = Date.UTC(2026, 2, 1, 12);

type Payment = DataByKind['payment_received'];

/** A ledger whose accounts get notices, by a real mail server and a real webhook; empty when a test begins. */
export function useNotices(): Notices {
  const fixture = new Notices();
  beforeAll(() => fixture.start());
  beforeEach(async () => {
    fixture.inbox.reset();
    fixture.receiver.reset();
    await fixture.setClock(0);
  });
  afterAll(() => fixture.close());
  return fixture;
}

class Notices {
  readonly ledger = useAuditedLedger();
  inbox: MailInbox;
  receiver: WebhookReceiver;
  private first: ComposedBilling;
  private readonly opened: ComposedBilling[] = [];

  async start(): Promise<void> {
    [this.inbox, this.receiver] = await Promise.all([MailInbox.start(), WebhookReceiver.start()]);
    this.first = await this.replica();
  }

  async close(): Promise<void> {
    for (const each of this.opened) each.get(MailService).onApplicationShutdown();
    await Promise.all([this.inbox.close(), this.receiver.close()]);
  }

  get<Provider>(type: Type<Provider>): Provider {
    return this.first.get(type);
  }

  get notices(): NoticesService {
    return this.get(NoticesService);
  }

  /** One more replica, whose worker delivers only in `deliver`. */
  async replica(): Promise<ComposedBilling> {
    const mail: MailOptions = {
      url: this.inbox.url,
      from: 'no-reply@api.example',
      pagesUrl: 'https://api.example/account',
      product: 'Creator Search',
    };
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const ca = this.receiver.certificate;
    const overrides = new Map<symbol | typeof WebhookSender, unknown>([
      [MAIL_OPTIONS, mail],
      [WebhookSender, new WebhookSender({ resolve, isAllowed: () => true, ca })],
    ]);
    const composed = await this.ledger.anotherReplica({ overrides });
    this.opened.push(composed);
    return composed;
  }

  /** Stops the ledger's clock this many ms after the start. */
  setClock(ms: number): Promise<void> {
    return this.ledger.factory.setClock(new Date(start + ms));
  }

  /** All members of the account have signed in to it. */
  async signIn(accountId: string): Promise<void> {
    await this.ledger.query('UPDATE members SET last_seen_at = ledger_now() WHERE account_id = $1', [
      accountId,
    ]);
  }

  /** An account with this address as its owner, who has signed in; returns its id. */
  async account(email = `${uuidv7()}@acme.example`): Promise<string> {
    const request = { account_id: uuidv7(), name: 'Acme', email, idempotency_key: uuidv7() };
    const { id } = (await this.get(AccountsService).create(request)).account;
    await this.signIn(id);
    return id;
  }

  change(account_id: string, changes: Omit<ChangeNoticesRequest, 'account_id'>) {
    return this.notices.change({ account_id, ...changes });
  }

  /** Reports a payment in the transaction that grants its credits, once for its order; returns the id of the order. */
  async pay(accountId: string, changes: Partial<Payment> = {}): Promise<string> {
    const payment = paymentOf(changes);
    const report = (locked: LockedAccounts) => this.notices.paymentReceived(locked, accountId, payment);
    await this.get(AccountTransactions).run([accountId], report);
    return payment.order_id;
  }

  /** An account that gets notices by webhook only, at this path below the receiver's, and has this many of payments. */
  async hooked(payments = 0, path = ''): Promise<string> {
    const id = await this.account();
    await this.change(id, { webhook_url: this.receiver.url + path, notify_by_email: false });
    for (let paid = 0; paid < payments; paid += 1) await this.pay(id);
    return id;
  }

  /** Delivers all that is due; returns the number of attempts. */
  async deliver(by = this.first): Promise<number> {
    const worker = by.get(DeliveryWorker);
    let attempts = 0;
    for (let begun = 1; begun > 0; attempts += begun) {
      begun = await claimDue(worker);
      await idle(worker);
    }
    return attempts;
  }

  /** `kind channel state` of each delivery of the account, newest first. */
  async listed(accountId: string): Promise<string[]> {
    const deliveries = await this.notices.list(accountId);
    return deliveries.map(({ kind, channel, state }) => `${kind} ${channel} ${state}`);
  }
}

/** Starts an attempt for each due delivery while its lane has room; resolves to their number. */
export async function claimDue({ lanes }: DeliveryWorker): Promise<number> {
  let begun = 0;
  for (const lane of lanes) begun += await lane.claimDue();
  return begun;
}

/** Resolves once no attempt is in progress. */
export async function idle({ lanes }: DeliveryWorker): Promise<void> {
  await Promise.all(lanes.map((lane) => lane.idle()));
}

/** A payment for a Builder pack. */
export function paymentOf(changes: Partial<Payment> = {}): Payment {
  return {
    order_id: uuidv7(),
    pack: 'builder',
    credits: 500,
    price_cents: 14_900,
    total_cents: 14_900,
    tax_cents: 0,
    expires_at: new Date(start + 30 * dayMs).toISOString(),
    ...changes,
  };
}

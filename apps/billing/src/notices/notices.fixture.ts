import { type ChangeNoticesRequest, type DeliveryView } from '#contracts';
import { MailInbox, WebhookReceiver } from '#testing';
import { v7 as uuidv7 } from 'uuid';
import { type Type } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { type ComposedBilling } from '../composed-billing.fixture.js';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { MAIL_OPTIONS, type MailOptions, parseMailUrl } from '../people/mail/mail-server.js';
import { MailService } from '../people/mail/mail.service.js';
import { type DataByKind } from './notice.entity.js';
import { NoticesService } from './notices.service.js';
import { AccountTransactions } from '../database/account-transactions.js';
import { DeliveryWorker } from './delivery-worker.js';
import { WebhookSender } from './webhooks/webhook-sender.js';

export const start = Date.UTC(2026, 2, 1, 12);
export const minute = 60_000;
export const day = 24 * 60 * minute;

type Payment = DataByKind['payment_received'];

/** A ledger whose accounts get notices, by a real mail server and a real webhook; empty when a test begins. */
export function useNotices() {
  const ledger = useAuditedLedger();
  let inbox: MailInbox;
  let receiver: WebhookReceiver;
  let first: ComposedBilling;
  const opened: ComposedBilling[] = [];
  beforeAll(async () => {
    [inbox, receiver] = await Promise.all([MailInbox.start(), WebhookReceiver.start()]);
    first = await replica();
  });
  beforeEach(async () => {
    inbox.reset();
    receiver.reset();
    await setClock(0);
  });
  afterAll(async () => {
    for (const each of opened) each.get(MailService).onApplicationShutdown();
    await Promise.all([inbox.close(), receiver.close()]);
  });

  async function replica(): Promise<ComposedBilling> {
    const mail: MailOptions = {
      server: parseMailUrl(inbox.url),
      from: 'no-reply@api.example',
      pagesUrl: 'https://api.example/account',
      product: 'Creator Search',
    };
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const webhooks = new WebhookSender({ resolve, isAllowed: () => true, ca: receiver.certificate });
    const overrides = new Map<symbol | typeof WebhookSender, unknown>([
      [MAIL_OPTIONS, mail],
      [WebhookSender, webhooks],
    ]);
    const composed = await ledger.anotherReplica({ overrides });
    opened.push(composed);
    return composed;
  }

  /** All members of the account have signed in to it. */
  const signIn = async (accountId: string): Promise<void> => {
    await ledger.query('UPDATE members SET last_seen_at = ledger_now() WHERE account_id = $1', [accountId]);
  };
  /** Stops the ledger's clock this many ms after the start. */
  const setClock = (ms: number): Promise<void> => ledger.factory.setClock(new Date(start + ms));
  const notices = (): NoticesService => first.get(NoticesService);
  /** An account with this address as its owner, who has signed in; returns its id. */
  const account = async (email = `${uuidv7()}@acme.example`): Promise<string> => {
    const request = { account_id: uuidv7(), name: 'Acme', email, idempotency_key: uuidv7() };
    const { id } = (await first.get(AccountsService).create(request)).account;
    await signIn(id);
    return id;
  };
  const change = (account_id: string, changes: Omit<ChangeNoticesRequest, 'account_id'>) =>
    notices().change({ account_id, ...changes });
  /** Reports a payment in the transaction that grants its credits, once for its order; returns the id of the order. */
  const pay = async (accountId: string, changes: Partial<Payment> = {}) => {
    const payment = paymentOf(changes);
    const transactions = first.get(AccountTransactions);
    await transactions.run([accountId], (locked) => notices().paymentReceived(locked, accountId, payment));
    return payment.order_id;
  };
  return {
    ledger,
    get inbox() {
      return inbox;
    },
    get receiver() {
      return receiver;
    },
    get notices() {
      return notices();
    },
    get: <Provider>(type: Type<Provider>) => first.get(type),
    /** One more replica, whose worker delivers only in `deliver`. */
    replica,
    setClock,
    signIn,
    account,
    change,
    pay,
    /** An account that gets notices by webhook only, at this path below the receiver's, and has this many of payments. */
    async hooked(payments = 0, path = '') {
      const id = await account();
      await change(id, { webhook_url: receiver.url + path, notify_by_email: false });
      for (let paid = 0; paid < payments; paid += 1) await pay(id);
      return id;
    },
    /** Delivers all that is due; returns the number of attempts. */
    async deliver(by = first) {
      const worker = by.get(DeliveryWorker);
      let attempts = 0;
      for (let begun = 1; begun > 0; attempts += begun) {
        begun = await claimDue(worker);
        await idle(worker);
      }
      return attempts;
    },
    /** `kind channel state` of each delivery of the account, newest first. */
    listed: async (accountId: string) => (await notices().list(accountId)).map(shown),
  };
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
    expires_at: new Date(start + 30 * day).toISOString(),
    ...changes,
  };
}

function shown({ kind, channel, state }: DeliveryView): string {
  return `${kind} ${channel} ${state}`;
}

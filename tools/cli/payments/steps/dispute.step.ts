import type Stripe from 'stripe';
import { type CheckRun, waitFor } from '../check-run.js';
import { type Answer } from '../stripe-account.js';
import { intentOf, isPaid, payInBrowser } from '../purchase.js';

type Disputes = Answer<Stripe.ApiList<Stripe.Dispute>>;

/** Pays with the card whose payments are disputed, and reads the dispute as billing does. */
export async function checkDispute(run: CheckRun): Promise<void> {
  const { account, report } = run;
  // Nobody has to pay to learn that disputes can't be read.
  const readable = await account.callStripe('disputes', () => account.api.disputes.list({ limit: 1 }));
  if (readable.kind !== 'object') {
    report.differs(
      'disputes',
      `${reasonOf(readable)}: refunds by banks (disputes) would take no credits back`,
    );
    return;
  }
  const paid = await payInBrowser(run, {
    name: 'session.disputed',
    how: 'with card 4000 0000 0000 0259, whose payments are disputed, and without a promotion code',
    isDone: isPaid,
  });
  if (!paid) return;
  const intent = intentOf(paid.session);
  if (!intent) {
    report.notPossible('a dispute', 'no payment to dispute');
    return;
  }
  const answer = await waitForDispute(run, intent.id);
  if (answer.kind !== 'object') report.notPossible('a dispute', reasonOf(answer));
  else if (answer.object.data.length === 0) {
    report.notPossible('a dispute', 'none was opened in time', 'Run it again with a longer --timeout.');
  } else {
    for (const dispute of answer.object.data) compareDispute(run, dispute, paid.session);
  }
}

/** Disputes come a moment after the payment, and their money a moment later. What there is when the time is over. */
async function waitForDispute(run: CheckRun, payment_intent: string): Promise<Disputes> {
  const { account } = run;
  const list = (): Promise<Disputes> =>
    account.callStripe('disputes.of-payment', () =>
      account.api.disputes.list({ payment_intent, limit: 100 }),
    );
  const answer = await waitFor(run, async () => {
    const found = await list();
    return found.kind !== 'object' || found.object.data.some(hasTakenMoney) ? found : null;
  });
  return answer ?? list();
}

function reasonOf(answer: Exclude<Disputes, { readonly kind: 'object' }>): string {
  return answer.kind === 'denied' ? `your key may not list them ("${answer.right}")` : answer.message;
}

function hasTakenMoney({ balance_transactions: moves }: Stripe.Dispute): boolean {
  return moves.length > 0;
}

function compareDispute(
  { report }: CheckRun,
  { amount, balance_transactions: moves, currency, status }: Stripe.Dispute,
  { amount_total: total, currency: paidIn }: Stripe.Checkout.Session,
): void {
  report.ok('a dispute', `${status}, ${amount} ${currency}`);
  if (currency === paidIn) {
    report.compare('its amount, cents', {
      found: amount,
      expected: total ?? 0,
      without: 'billing takes back the share of the credits that this is of the payment',
    });
  } else {
    report.differs(
      'its currency',
      `${currency}, while ${paidIn ?? 'nothing'} was paid: billing counts the whole payment as withdrawn`,
    );
  }
  const [move] = moves;
  if (move && move.amount < 0) report.ok('its money', `${-move.amount} ${move.currency} were withdrawn`);
  else {
    report.differs(
      'its money',
      'no balance transaction says that it was withdrawn: billing would take no credits back',
    );
  }
}

import type Stripe from 'stripe';
import { type CheckRun, waitFor } from '../check-run.js';
import { type Answer } from '../stripe-account.js';
import { intentOf, isPaid, payInBrowser } from '../purchase.js';

/** Pays with the card whose payments are disputed, and reads the dispute as billing does. */
export async function checkDispute(run: CheckRun): Promise<void> {
  const paid = await payInBrowser(run, {
    name: 'session.disputed',
    how: 'with card 4000 0000 0000 0259, whose payments are disputed, and without a promotion code',
    isDone: isPaid,
  });
  const intent = paid && intentOf(paid.session);
  if (!intent) {
    if (paid) run.report.notPossible('a dispute', 'nothing was paid that could be disputed');
    return;
  }
  const answer = await waitForDispute(run, intent.id);
  if (answer === null) {
    run.report.notPossible('a dispute', 'none was opened in time', 'Run it again with a longer --timeout.');
  } else if (answer.kind === 'object') {
    for (const dispute of answer.object.data) compareDispute(run, dispute, paid.session);
  } else {
    const why = answer.kind === 'denied' ? `your key may not list them ("${answer.right}")` : answer.message;
    run.report.differs('disputes', `${why}: refunds by banks (disputes) would take no credits back`);
  }
}

/** Disputes come a moment after the payment, and their money a moment later. */
function waitForDispute(
  run: CheckRun,
  payment_intent: string,
): Promise<Answer<Stripe.ApiList<Stripe.Dispute>> | null> {
  const { account } = run;
  return waitFor(run, async () => {
    const list = await account.ask('disputes.of-payment', () =>
      account.api.disputes.list({ payment_intent, limit: 100 }),
    );
    const isThere = list.kind !== 'object' || list.object.data.some(hasTakenMoney);
    return isThere ? list : null;
  });
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

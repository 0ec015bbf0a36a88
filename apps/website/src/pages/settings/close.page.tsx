import { type AccountDetail, type KeyView, type LotView, type Members } from '#contracts';
import { Button, LinkButton } from '../../components/controls.js';
import { Card } from '../../components/display.js';
import { Field, Form } from '../../components/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatNumber, formatPrice } from '../../view/format.js';
import { type PageView } from '../../view/page.js';

/** The consequences of closing the account, its records to download, and the form that closes it. */
export function closePage(
  account: AccountDetail,
  { members, invitations }: Members,
  keys: readonly KeyView[],
): PageView {
  const { id, name, credits_remaining: credits, lots } = account;
  const paid = lots.reduce((sum, lot) => sum + paidFor(lot), 0);
  return {
    title: 'Close account',
    section: 'settings',
    answer: name,
    body: (
      <>
        <Card title="Keep your records first">
          <p>You cannot download them once the account is closed.</p>
          <div class="group">
            <LinkButton href={`${pagePaths.statement}.csv`}>Download the statement (CSV)</LinkButton>
            <LinkButton href={`${pagePaths.calls}.csv`}>Download the calls (CSV)</LinkButton>
          </div>
          <p class="hint">
            To choose the days of the calls, go to <a href={pagePaths.usage}>Usage</a>. Invoices and receipts
            are on the pages of your <a href={pagePaths.buy}>orders</a>.
          </p>
        </Card>
        <Card title="What happens when you close the account">
          <ul>
            <li>API keys that stop working immediately: {formatNumber(keys.length)}.</li>
            <li>
              Credits that lapse: {formatNumber(credits)}
              {paid > 0 && `, for which you paid ${formatPrice(paid)}`}. They are not refunded. Calls in
              progress are completed.
            </li>
            <li>
              Members who lose access, you included: {formatNumber(members.length)}. They are signed out.
            </li>
            <li>Invitations that are revoked: {formatNumber(invitations.length)}.</li>
            <li>
              Notifications and webhooks stop. A monthly agreement ends; open orders can no longer be used.
            </li>
            <li>
              If you are a member of no other account, your email address and everything else we hold about
              you is erased. Records of purchases that the law requires are kept without your name.
            </li>
          </ul>
          <p>This cannot be undone.</p>
          <Form action={`${pagePaths.settings}/close`} class="stack" hidden={{ account_id: id }}>
            <Field
              id="close-name"
              name="name"
              label={`To confirm, enter the name of the account: ${name}`}
              input={{ required: true, autocomplete: 'off' }}
            />
            <Button kind="danger">Close account permanently</Button>
          </Form>
        </Card>
      </>
    ),
  };
}

/** The share of its price that is not spent, US cents. */
function paidFor({ remaining, credits, price_cents: cents }: LotView): number {
  return Math.round((remaining / credits) * cents);
}

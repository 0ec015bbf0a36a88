import { type AccountSession } from '@app/contracts';
import { Button, LinkButton } from '../../components/controls/button.js';
import { Form } from '../../components/controls/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

type LeftAccount = Pick<AccountSession['account'], 'id' | 'name'>;

/** The question as a page, for browsers without scripts. */
export function leaveAccountPage(account: LeftAccount): PageView {
  return {
    title: 'Leave the account',
    section: 'settings',
    body: (
      <section class="panel">
        <h1>Leave {account.name}?</h1>
        <LeaveAccountForm account={account} />
      </section>
    ),
  };
}

export function LeaveAccountForm({ account }: { readonly account: LeftAccount }) {
  return (
    <Form action={`${pagePaths.settings}/leave`} hidden={{ account_id: account.id }}>
      <p>
        You lose access at once. API keys that you have created keep working. An owner can invite you again.
      </p>
      <div class="buttons">
        <Button kind="danger">Leave account</Button>
        <LinkButton href={pagePaths.settings}>Cancel</LinkButton>
      </div>
    </Form>
  );
}

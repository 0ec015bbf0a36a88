import { type AccountSession } from '@app/contracts';
import { pagePaths } from '../../paths/page-paths.js';
import { Button } from '../controls/button.js';
import { Form } from '../controls/form.js';

/** The present account, the others of the person, and the way out. */
export function AccountMenu({ session }: { readonly session: AccountSession }) {
  const others = session.accounts.filter(({ id }) => id !== session.account.id);
  return (
    <details class="account-menu" data-closes>
      <summary>
        <span class="account-name" title={session.account.name}>
          {session.account.name}
        </span>
        <span class="account-person" title={session.email}>
          {session.email}
        </span>
      </summary>
      <div class="account-choices">
        {others.length > 0 && (
          <Form action={pagePaths.switchAccount}>
            <p class="hint" id="other-accounts">
              Your other accounts
            </p>
            <ul aria-labelledby="other-accounts">
              {others.map(({ id, name }) => (
                <li key={id}>
                  <Button kind="quiet" name="account_id" value={id}>
                    {name}
                  </Button>
                </li>
              ))}
            </ul>
          </Form>
        )}
        <p>
          <a href={pagePaths.accounts}>Your accounts and invitations</a>
        </p>
        <Form action={pagePaths.signOut}>
          <Button kind="quiet">Sign out</Button>
        </Form>
      </div>
    </details>
  );
}

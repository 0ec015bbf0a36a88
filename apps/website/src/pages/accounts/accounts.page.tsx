import { type OwnInvitations, type ReceivedInvitation, type SessionView } from '#contracts';
import { Action } from '../../components/form.js';
import { Badge, Card, Moment, Row } from '../../components/display.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

interface AccountsProps extends OwnInvitations {
  readonly session: SessionView;
}

/** Open invitations, the accounts that a person is a member of, and one of their own. */
export function accountsPage({ session, invitations, can_open_account: canOpen }: AccountsProps): PageView {
  const { accounts, account: current, email } = session;
  const isAlone = accounts.length + invitations.length === 0;
  return {
    title: 'Your accounts',
    answer: `Signed in as ${email}`,
    body: (
      <>
        {invitations.length > 0 && (
          <Card title="Invitations" id="invitations">
            <ul>
              {invitations.map((invitation) => (
                <Invitation key={invitation.id} invitation={invitation} />
              ))}
            </ul>
          </Card>
        )}
        {accounts.length > 0 && (
          <Card title="Accounts" id="accounts">
            <ul>
              {accounts.map(({ id, name }) => (
                <Row key={id} title={name} badge={id === current?.id && <Badge kind="good">Current</Badge>}>
                  {id !== current?.id && (
                    <Action
                      action={pagePaths.switchAccount}
                      hidden={{ account_id: id }}
                      label={`Switch to ${name}`}
                    >
                      Switch
                    </Action>
                  )}
                </Row>
              ))}
            </ul>
          </Card>
        )}
        {isAlone && <p>You are not a member of any account. An owner of an account can invite you.</p>}
        {canOpen && (
          <Card title="Your own account" id="own-account">
            <p class="hint">It has its own credits, API keys and members. You are its owner.</p>
            <Action action={pagePaths.accounts}>Create account</Action>
          </Card>
        )}
        {current === null && <Action action={pagePaths.signOut}>Sign out</Action>}
      </>
    ),
  };
}

function Invitation({ invitation }: { readonly invitation: ReceivedInvitation }) {
  const { id, account_name: name, invited_by: inviter, role, expires_at: expiresAt } = invitation;
  const path = `${pagePaths.accounts}/invitations/${id}`;
  const hint = (
    <>
      {inviter ?? 'An owner'} invites you as {role === 'owner' ? 'an owner' : 'a member'}. Valid until{' '}
      <Moment at={expiresAt} as="date" />.
    </>
  );
  return (
    <Row title={name} hint={hint}>
      <Action action={`${path}/accept`} kind="primary" label={`Accept the invitation to ${name}`}>
        Accept
      </Action>
      <Action action={`${path}/decline`} label={`Decline the invitation to ${name}`}>
        Decline
      </Action>
    </Row>
  );
}

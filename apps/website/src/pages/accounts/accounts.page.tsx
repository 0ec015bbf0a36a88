import { type OwnAccount, type OwnInvitations, type ReceivedInvitation, type SessionView } from '#contracts';
import { Action } from '../../components/form.js';
import { Badge, Card, ListCard, Moment, Row } from '../../components/display.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

/** Open invitations, the accounts that a person is a member of, and one of their own. */
export function accountsPage(
  { accounts, account: current, email }: SessionView,
  { invitations, can_open_account: canOpen }: OwnInvitations,
): PageView {
  return {
    title: 'Your accounts',
    answer: `Signed in as ${email}`,
    body: (
      <>
        <ListCard title="Invitations" id="invitations" rows={invitations.map(invitationRow)} />
        <ListCard
          title="Accounts"
          id="accounts"
          rows={accounts.map((account) => accountRow(account, account.id === current?.id))}
        />
        {accounts.length + invitations.length === 0 && (
          <p>You are not a member of any account. An owner of an account can invite you.</p>
        )}
        {canOpen && (
          <Card title="Your own account" id="own-account">
            <p class="hint">It has its own credits, API keys and members. You are its owner.</p>
            <Action action={pagePaths.accounts} verb="Create account" />
          </Card>
        )}
        {current === null && <Action action={pagePaths.signOut} verb="Sign out" />}
      </>
    ),
  };
}

function accountRow({ id, name }: OwnAccount, isCurrent: boolean) {
  const hidden = { account_id: id };
  return (
    <Row title={name} badge={isCurrent && <Badge kind="good">Current</Badge>}>
      {!isCurrent && (
        <Action action={pagePaths.switchAccount} hidden={hidden} verb="Switch" label={`Switch to ${name}`} />
      )}
    </Row>
  );
}

function invitationRow(invitation: ReceivedInvitation) {
  const { id, account_name: name, invited_by: inviter, role, expires_at: expiresAt } = invitation;
  const path = `${pagePaths.accounts}/invitations/${id}`;
  const to = `the invitation to ${name}`;
  const hint = (
    <>
      {inviter ?? 'An owner'} invites you as {role === 'owner' ? 'an owner' : 'a member'}. Valid until{' '}
      <Moment at={expiresAt} as="date" />.
    </>
  );
  return (
    <Row title={name} hint={hint}>
      <Action action={`${path}/accept`} kind="primary" verb="Accept" label={`Accept ${to}`} />
      <Action action={`${path}/decline`} verb="Decline" label={`Decline ${to}`} />
    </Row>
  );
}

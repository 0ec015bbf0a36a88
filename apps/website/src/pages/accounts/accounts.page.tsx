import { type OwnInvitations, type ReceivedInvitation, type SessionView } from '#contracts';
import { Button } from '../../components/controls.js';
import { Form } from '../../components/form.js';
import { Badge, Card, Done, Moment, PageTitle } from '../../components/display.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

interface AccountsProps extends OwnInvitations {
  readonly session: SessionView;
  readonly done: string | undefined;
}

/** Open invitations, the accounts that a person is a member of, and one of their own. */
export function accountsPage(props: AccountsProps): PageView {
  const { session, invitations, can_open_account: canOpen, done } = props;
  const isAlone = session.accounts.length + invitations.length === 0;
  return {
    title: 'Your accounts',
    body: (
      <div class="own-accounts">
        <PageTitle title="Your accounts" answer={`Signed in as ${session.email}`} />
        {done && <Done>{done}</Done>}
        {invitations.length > 0 && <Invitations invitations={invitations} />}
        {session.accounts.length > 0 && <Accounts session={session} />}
        {isAlone && <p>You are not a member of any account. An owner of an account can invite you.</p>}
        {canOpen && <OwnAccount />}
        {session.account === null && (
          <Form action={pagePaths.signOut}>
            <Button>Sign out</Button>
          </Form>
        )}
      </div>
    ),
  };
}

function Invitations({ invitations }: Pick<OwnInvitations, 'invitations'>) {
  return (
    <Card title="Invitations" id="invitations">
      <ul class="rows">
        {invitations.map((invitation) => (
          <Invitation key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Card>
  );
}

function Invitation({ invitation }: { readonly invitation: ReceivedInvitation }) {
  const { id, account_name: name, invited_by: inviter, role, expires_at: expiresAt } = invitation;
  const path = `${pagePaths.accounts}/invitations/${id}`;
  return (
    <li>
      <div class="row-text">
        <strong>{name}</strong>
        <p class="hint">
          {inviter ?? 'An owner'} invites you as {role === 'owner' ? 'an owner' : 'a member'}. Valid until{' '}
          <Moment at={expiresAt} as="date" />.
        </p>
      </div>
      <div class="buttons">
        <Form action={`${path}/accept`}>
          <Button kind="primary" label={`Accept the invitation to ${name}`}>
            Accept
          </Button>
        </Form>
        <Form action={`${path}/decline`}>
          <Button label={`Decline the invitation to ${name}`}>Decline</Button>
        </Form>
      </div>
    </li>
  );
}

function Accounts({ session }: Pick<AccountsProps, 'session'>) {
  return (
    <Card title="Accounts" id="accounts">
      <ul class="rows">
        {session.accounts.map(({ id, name }) => (
          <li key={id}>
            <div class="row-text">
              <strong>{name}</strong> {id === session.account?.id && <Badge kind="good">Current</Badge>}
            </div>
            {id !== session.account?.id && (
              <Form action={pagePaths.switchAccount} hidden={{ account_id: id }}>
                <Button label={`Switch to ${name}`}>Switch</Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function OwnAccount() {
  return (
    <Card title="Your own account" id="own-account">
      <p class="hint">It has its own credits, API keys and members. You are its owner.</p>
      <Form action={pagePaths.accounts}>
        <Button>Create account</Button>
      </Form>
    </Card>
  );
}

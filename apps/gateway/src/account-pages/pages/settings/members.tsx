import { type AccountSession, type InvitationView, type MemberView } from '@app/contracts';
import { Button, Dialog, LinkButton } from '../../components/controls.js';
import { Badge, Card, Moment, Panel } from '../../components/display.js';
import { Checkbox, Field, Form, Select } from '../../components/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';
import { type SettingsProps } from './settings-props.js';

const path = `${pagePaths.settings}/members`;

/** Who may sign in to the account, and who is invited. */
export function Members({ account, members, invitations, personId, isOwner, invitationId }: SettingsProps) {
  const owners = members.filter(({ role }) => role === 'owner').length;
  return (
    <Card title="Members" id="members">
      <p class="hint">Owners buy credits and change settings. Members see everything and manage keys.</p>
      <ul class="rows">
        {members.map((member) => (
          <Member
            key={member.person_id}
            member={member}
            account={account}
            isSelf={member.person_id === personId}
            isOwner={isOwner}
            isLastOwner={member.role === 'owner' && owners === 1}
          />
        ))}
        {invitations.map((invitation) => (
          <Invitation key={invitation.id} invitation={invitation} isOwner={isOwner} />
        ))}
      </ul>
      {isOwner && (
        <Form action={path} class="line-form" hidden={{ invitation_id: invitationId }}>
          <Field
            id="member-email"
            name="email"
            label="Invite by email address"
            input={{ type: 'email', required: true, maxLength: 254, autocomplete: 'off' }}
          />
          <Select
            id="member-role"
            name="role"
            label="Role"
            value="member"
            options={{ member: 'Member', owner: 'Owner' }}
          />
          <Button>Invite</Button>
        </Form>
      )}
    </Card>
  );
}

interface MemberProps {
  readonly member: MemberView;
  readonly account: SettingsProps['account'];
  readonly isSelf: boolean;
  readonly isOwner: boolean;
  /** Neither leaves nor becomes a member. */
  readonly isLastOwner: boolean;
}

function Member({ member, account, isSelf, isOwner, isLastOwner }: MemberProps) {
  const { email, role, last_seen_at: lastSeenAt, person_id: id } = member;
  const other = role === 'owner' ? 'member' : 'owner';
  return (
    <li>
      <div class="row-text">
        <strong>{email}</strong>
        {isSelf && ' (you)'} <Badge kind="neutral">{role === 'owner' ? 'Owner' : 'Member'}</Badge>
        <p class="hint">
          {lastSeenAt === null ? (
            'Has not signed in yet'
          ) : (
            <>
              Last seen <Moment at={lastSeenAt} />
            </>
          )}
        </p>
      </div>
      {!isLastOwner && (isOwner || isSelf) && (
        <div class="buttons">
          {isOwner && (
            <Form action={`${path}/${id}/role`} hidden={{ role: other }}>
              <Button label={`Make ${other}: ${email}`}>Make {other}</Button>
            </Form>
          )}
          {isSelf ? <Leave account={account} /> : <Remove member={member} />}
        </div>
      )}
    </li>
  );
}

interface InvitationProps {
  readonly invitation: InvitationView;
  readonly isOwner: boolean;
}

function Invitation({ invitation, isOwner }: InvitationProps) {
  const { id, email, role, invited_at: invitedAt, expires_at: expiresAt } = invitation;
  return (
    <li>
      <div class="row-text">
        <strong>{email}</strong> <Badge kind="warning">Invited</Badge>
        <p class="hint">
          As {role === 'owner' ? 'an owner' : 'a member'}, <Moment at={invitedAt} />. Valid until{' '}
          <Moment at={expiresAt} as="date" />.
        </p>
      </div>
      {isOwner && (
        <Form action={`${path}/invitations/${id}/revoke`}>
          <Button label={`Revoke the invitation for ${email}`}>Revoke</Button>
        </Form>
      )}
    </li>
  );
}

type LeftAccount = Pick<AccountSession['account'], 'id' | 'name'>;

function Leave({ account }: { readonly account: LeftAccount }) {
  const href = `${pagePaths.settings}/leave`;
  return (
    <>
      <LinkButton kind="danger-outline" href={href} opens="leave" label="Leave this account">
        Leave
      </LinkButton>
      <Dialog id="leave" title={`Leave ${account.name}?`}>
        <LeaveForm account={account} />
      </Dialog>
    </>
  );
}

/** The question as a page, for browsers without scripts. */
export function leaveAccountPage(account: LeftAccount): PageView {
  const body = (
    <Panel title={`Leave ${account.name}?`}>
      <LeaveForm account={account} />
    </Panel>
  );
  return { title: 'Leave account', section: 'settings', body };
}

function LeaveForm({ account }: { readonly account: LeftAccount }) {
  return (
    <Form action={`${pagePaths.settings}/leave`} hidden={{ account_id: account.id }}>
      <p>You lose access immediately. API keys you created keep working. An owner can invite you again.</p>
      <div class="buttons">
        <Button kind="danger">Leave account</Button>
        <LinkButton href={pagePaths.settings}>Cancel</LinkButton>
      </div>
    </Form>
  );
}

function Remove({ member }: Pick<MemberProps, 'member'>) {
  const { person_id: id, email } = member;
  const label = `Remove ${email}`;
  return (
    <>
      <LinkButton kind="danger-outline" href={`${path}/${id}/remove`} opens={`remove-${id}`} label={label}>
        Remove
      </LinkButton>
      <Dialog id={`remove-${id}`} title={`${label}?`}>
        <RemoveForm member={member} />
      </Dialog>
    </>
  );
}

/** The question as a page, for browsers without scripts. */
export function removeMemberPage(member: MemberView): PageView {
  const body = (
    <Panel title={`Remove ${member.email}?`}>
      <RemoveForm member={member} />
    </Panel>
  );
  return { title: 'Remove member', section: 'settings', body };
}

function RemoveForm({ member }: Pick<MemberProps, 'member'>) {
  return (
    <Form action={`${path}/${member.person_id}/remove`}>
      <p>They are signed out of this account immediately and cannot sign in to it again.</p>
      <Checkbox name="delete_keys" isTicked={false}>
        Also delete the API keys they created. Otherwise these keys keep working.
      </Checkbox>
      <div class="buttons">
        <Button kind="danger">Remove member</Button>
        <LinkButton href={pagePaths.settings}>Cancel</LinkButton>
      </div>
    </Form>
  );
}

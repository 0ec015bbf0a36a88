import { type AccountDetail, type InvitationView, type MemberView } from '#contracts';
import { Button } from '../../components/controls.js';
import { Badge, Card, Moment } from '../../components/display.js';
import { Checkbox, Field, Form, Select } from '../../components/form.js';
import { Ask, type Question } from '../../components/question.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type SettingsView } from './settings-view.js';

const path = `${pagePaths.settings}/members`;

/** Who may sign in to the account, and who is invited. */
export function Members({ account, members, invitations, personId, isOwner, invitationId }: SettingsView) {
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
  readonly account: SettingsView['account'];
  readonly isSelf: boolean;
  readonly isOwner: boolean;
  /** Cannot leave or become a member. */
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
          {isSelf ? (
            <Ask question={leaveAccount(account)} label="Leave this account">
              Leave
            </Ask>
          ) : (
            <Ask question={removeMember(member)} label={`Remove ${email}`}>
              Remove
            </Ask>
          )}
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

const ofSettings = { section: 'settings', back: pagePaths.settings, isDangerous: true } as const;

export function leaveAccount({ id, name }: Pick<AccountDetail, 'id' | 'name'>): Question {
  return {
    ...ofSettings,
    id: 'leave',
    title: `Leave ${name}?`,
    path: `${pagePaths.settings}/leave`,
    hidden: { account_id: id },
    verb: 'Leave account',
    body: (
      <p>You lose access immediately. API keys you created keep working. An owner can invite you again.</p>
    ),
  };
}

export function removeMember({ person_id: id, email }: MemberView): Question {
  return {
    ...ofSettings,
    id: `remove-${id}`,
    title: `Remove ${email}?`,
    path: `${path}/${id}/remove`,
    verb: 'Remove member',
    body: (
      <>
        <p>They are signed out of this account immediately and cannot sign in to it again.</p>
        <Checkbox name="delete_keys" isTicked={false}>
          Also delete the API keys they created. Otherwise these keys keep working.
        </Checkbox>
      </>
    ),
  };
}

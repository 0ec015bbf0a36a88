import { type AccountDetail, type InvitationView, type MemberView } from '#contracts';
import { v7 as uuidv7 } from 'uuid';
import { Button } from '../../components/controls.js';
import { Badge, Card, Moment, Row } from '../../components/display.js';
import { Action, FoldedForm, Checkbox, Field, Form, Select } from '../../components/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type SettingsView } from './settings-view.js';

const path = `${pagePaths.settings}/members`;

/** The members of the account and its open invitations. A form that invites, sent twice, is one invitation. */
export function Members(props: SettingsView) {
  const { members, invitations, isOwner } = props;
  return (
    <Card title="Members" id="members">
      <p class="hint">Owners buy credits and change settings. Members see everything and manage keys.</p>
      <ul>
        {members.map((member) => (
          <Member key={member.person_id} member={member} {...props} />
        ))}
        {invitations.map((invitation) => (
          <Invitation key={invitation.id} invitation={invitation} isOwner={isOwner} />
        ))}
      </ul>
      {isOwner && (
        <Form action={path} class="line-form" hidden={{ invitation_id: uuidv7() }}>
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

function Member({
  member,
  account,
  members,
  personId,
  isOwner,
}: SettingsView & { readonly member: MemberView }) {
  const { email, role, last_seen_at: lastSeenAt, person_id: id } = member;
  const other = role === 'owner' ? 'member' : 'owner';
  const isSelf = id === personId;
  // They cannot leave or become a member.
  const isLastOwner = role === 'owner' && members.filter((each) => each.role === 'owner').length === 1;
  const hint =
    lastSeenAt === null ? (
      'Has not signed in yet'
    ) : (
      <>
        Last seen <Moment at={lastSeenAt} />
      </>
    );
  return (
    <Row
      title={isSelf ? `${email} (you)` : email}
      badge={<Badge kind="neutral">{role === 'owner' ? 'Owner' : 'Member'}</Badge>}
      hint={hint}
    >
      {isOwner && !isLastOwner && (
        <Action action={`${path}/${id}/role`} hidden={{ role: other }} label={`Make ${other}: ${email}`}>
          Make {other}
        </Action>
      )}
      {isSelf && !isLastOwner && <Leave account={account} />}
      {isOwner && !isSelf && (
        <FoldedForm
          title="Remove"
          label={`Remove ${email}`}
          action={`${path}/${id}/remove`}
          verb="Remove member"
          isDangerous
        >
          <p>They are signed out of this account immediately and cannot sign in to it again.</p>
          <Checkbox name="delete_keys">
            Also delete the API keys they created. Otherwise these keys keep working.
          </Checkbox>
        </FoldedForm>
      )}
    </Row>
  );
}

function Leave({ account: { id, name } }: { readonly account: AccountDetail }) {
  return (
    <FoldedForm
      title="Leave"
      label={`Leave ${name}`}
      action={`${pagePaths.settings}/leave`}
      hidden={{ account_id: id }}
      verb="Leave account"
      isDangerous
    >
      <p>You lose access immediately. API keys you created keep working. An owner can invite you again.</p>
    </FoldedForm>
  );
}

interface InvitationProps {
  readonly invitation: InvitationView;
  readonly isOwner: boolean;
}

function Invitation({ invitation, isOwner }: InvitationProps) {
  const { id, email, role, invited_at: invitedAt, expires_at: expiresAt } = invitation;
  const hint = (
    <>
      As {role === 'owner' ? 'an owner' : 'a member'}, <Moment at={invitedAt} />. Valid until{' '}
      <Moment at={expiresAt} as="date" />.
    </>
  );
  return (
    <Row title={email} badge={<Badge kind="warning">Invited</Badge>} hint={hint}>
      {isOwner && (
        <Action action={`${path}/invitations/${id}/revoke`} label={`Revoke the invitation for ${email}`}>
          Revoke
        </Action>
      )}
    </Row>
  );
}

import { type AccountDetail, type InvitationView, type MemberRole, type MemberView } from '#contracts';
import { v7 as uuidv7 } from 'uuid';
import { Button } from '../../components/controls.js';
import { Badge, Card, Moment, Row } from '../../components/display.js';
import { Action, Checkbox, EmailField, FoldedForm, Form, Select } from '../../components/form.js';
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
        {members.map((member) => memberRow(member, props))}
        {invitations.map((invitation) => invitationRow(invitation, isOwner))}
      </ul>
      {isOwner && (
        <Form action={path} class="line-form" hidden={{ invitation_id: uuidv7() }}>
          <EmailField id="member-email" label="Invite by email address" input={{ autocomplete: 'off' }} />
          <Select id="member-role" name="role" label="Role" value="member" options={roles} />
          <Button>Invite</Button>
        </Form>
      )}
    </Card>
  );
}

const roles: Readonly<Record<MemberRole, string>> = { member: 'Member', owner: 'Owner' };

function memberRow(member: MemberView, { account, members, personId, isOwner }: SettingsView) {
  const { email, role, last_seen_at: lastSeenAt, person_id: id } = member;
  const other = role === 'owner' ? 'member' : 'owner';
  const isSelf = id === personId;
  // They cannot leave or become a member.
  const isLastOwner = role === 'owner' && members.filter((each) => each.role === 'owner').length === 1;
  const seen = lastSeenAt !== null && ['Last seen ', <Moment at={lastSeenAt} />];
  const verb = `Make ${other}`;
  return (
    <Row
      title={isSelf ? `${email} (you)` : email}
      badge={<Badge kind="neutral">{roles[role]}</Badge>}
      hint={seen || 'Has not signed in yet'}
    >
      {isOwner && !isLastOwner && (
        <Action
          action={`${path}/${id}/role`}
          hidden={{ role: other }}
          verb={verb}
          label={`${verb}: ${email}`}
        />
      )}
      {isSelf && !isLastOwner && <Leave account={account} />}
      {isOwner && !isSelf && (
        <FoldedForm
          title="Remove"
          of={email}
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
      of={name}
      action={`${pagePaths.settings}/leave`}
      hidden={{ account_id: id }}
      verb="Leave account"
      isDangerous
    >
      <p>You lose access immediately. API keys you created keep working. An owner can invite you again.</p>
    </FoldedForm>
  );
}

function invitationRow(invitation: InvitationView, isOwner: boolean) {
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
        <Action
          action={`${path}/invitations/${id}/revoke`}
          verb="Revoke"
          label={`Revoke the invitation for ${email}`}
        />
      )}
    </Row>
  );
}

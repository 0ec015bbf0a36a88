import { type InvitationView } from '@app/contracts';
import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { Select } from '../../components/controls/select.js';
import { Badge } from '../../components/display/badge.js';
import { Moment } from '../../components/display/moment.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type SettingsProps } from './settings-props.js';

const path = `${pagePaths.settings}/members`;

interface InvitationRowProps {
  readonly invitation: InvitationView;
  readonly isOwner: boolean;
}

/** Somebody who may become a member, among the members. */
export function InvitationRow({ invitation, isOwner }: InvitationRowProps) {
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
          <Button label={`Revoke the invitation of ${email}`}>Revoke</Button>
        </Form>
      )}
    </li>
  );
}

export function InviteForm({ invitationId }: Pick<SettingsProps, 'invitationId'>) {
  return (
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
        label="As"
        value="member"
        options={{ member: 'Member', owner: 'Owner' }}
      />
      <Button>Invite</Button>
    </Form>
  );
}

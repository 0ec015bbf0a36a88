import { type MemberView } from '@app/contracts';
import { Badge } from '../../components/display/badge.js';
import { Button, LinkButton } from '../../components/controls/button.js';
import { Checkbox } from '../../components/controls/checkbox.js';
import { Dialog } from '../../components/controls/dialog.js';
import { Form } from '../../components/controls/form.js';
import { Card } from '../../components/display/card.js';
import { Moment } from '../../components/display/moment.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';
import { InvitationRow, InviteForm } from './invitations.js';
import { LeaveAccountForm } from './leave-account.js';
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
          <InvitationRow key={invitation.id} invitation={invitation} isOwner={isOwner} />
        ))}
      </ul>
      {isOwner && <InviteForm invitationId={invitationId} />}
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
  return (
    <li>
      <div class="row-text">
        <strong>{member.email}</strong>
        {isSelf && ' (you)'} <Badge kind="neutral">{member.role === 'owner' ? 'Owner' : 'Member'}</Badge>
        <p class="hint">
          {member.last_seen_at === null ? (
            'Has not signed in yet'
          ) : (
            <>
              Last seen <Moment at={member.last_seen_at} />
            </>
          )}
        </p>
      </div>
      {!isLastOwner && (isOwner || isSelf) && (
        <div class="buttons">
          {isOwner && <ChangeRole member={member} />}
          {isSelf ? <Leave account={account} /> : <Remove member={member} />}
        </div>
      )}
    </li>
  );
}

function ChangeRole({ member }: Pick<MemberProps, 'member'>) {
  const other = member.role === 'owner' ? 'member' : 'owner';
  return (
    <Form action={`${path}/${member.person_id}/role`} hidden={{ role: other }}>
      <Button label={`Make ${other}: ${member.email}`}>Make {other}</Button>
    </Form>
  );
}

function Leave({ account }: Pick<MemberProps, 'account'>) {
  return (
    <>
      <LinkButton
        kind="danger-outline"
        href={`${pagePaths.settings}/leave`}
        opens="leave"
        label="Leave this account"
      >
        Leave
      </LinkButton>
      <Dialog id="leave" title={`Leave ${account.name}?`}>
        <LeaveAccountForm account={account} />
      </Dialog>
    </>
  );
}

function Remove({ member }: Pick<MemberProps, 'member'>) {
  const dialogId = `remove-${member.person_id}`;
  return (
    <>
      <LinkButton
        kind="danger-outline"
        href={`${path}/${member.person_id}/remove`}
        opens={dialogId}
        label={`Remove ${member.email}`}
      >
        Remove
      </LinkButton>
      <Dialog id={dialogId} title={`Remove ${member.email}?`}>
        <RemoveMemberForm member={member} />
      </Dialog>
    </>
  );
}

/** The question as a page, for browsers without scripts. */
export function removeMemberPage(member: MemberView): PageView {
  return {
    title: 'Remove a member',
    section: 'settings',
    body: (
      <section class="panel">
        <h1>Remove {member.email}?</h1>
        <RemoveMemberForm member={member} />
      </section>
    ),
  };
}

function RemoveMemberForm({ member }: { readonly member: MemberView }) {
  return (
    <Form action={`${path}/${member.person_id}/remove`}>
      <p>They are signed out of this account at once and cannot sign in to it again.</p>
      <Checkbox name="delete_keys" isTicked={false}>
        Also delete the API keys that they have created. Otherwise these keep working.
      </Checkbox>
      <div class="buttons">
        <Button kind="danger">Remove member</Button>
        <LinkButton href={pagePaths.settings}>Cancel</LinkButton>
      </div>
    </Form>
  );
}

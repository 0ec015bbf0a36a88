import { type MemberView } from '@app/contracts';
import { Badge } from '../../components/display/badge.js';
import { Button, LinkButton } from '../../components/controls/button.js';
import { Dialog } from '../../components/controls/dialog.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { Select } from '../../components/controls/select.js';
import { Card } from '../../components/display/card.js';
import { Moment } from '../../components/display/moment.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';
import { type SettingsProps } from './settings-props.js';

const path = `${pagePaths.settings}/members`;

/** Who may sign in to the account. */
export function Members({ members, personId, isOwner }: SettingsProps) {
  return (
    <Card title="Members" id="members">
      <p class="hint">Owners buy credits and change settings. Members see everything and manage keys.</p>
      <ul class="rows">
        {members.map((member) => (
          <Member
            key={member.person_id}
            member={member}
            isSelf={member.person_id === personId}
            isOwner={isOwner}
          />
        ))}
      </ul>
      {isOwner && (
        <Form action={path} class="line-form">
          <Field
            id="member-email"
            name="email"
            label="Add by e-mail address"
            input={{ type: 'email', required: true, maxLength: 254, autocomplete: 'off' }}
          />
          <Select
            id="member-role"
            name="role"
            label="As"
            value="member"
            options={{ member: 'Member', owner: 'Owner' }}
          />
          <Button>Add</Button>
        </Form>
      )}
    </Card>
  );
}

interface MemberProps {
  readonly member: MemberView;
  readonly isSelf: boolean;
  readonly isOwner: boolean;
}

function Member({ member, isSelf, isOwner }: MemberProps) {
  const other = member.role === 'owner' ? 'member' : 'owner';
  const dialogId = `remove-${member.person_id}`;
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
      {isOwner && (
        <div class="buttons">
          <Form action={`${path}/${member.person_id}/role`} hidden={{ role: other }}>
            <Button label={`Make ${other}: ${member.email}`}>Make {other}</Button>
          </Form>
          <LinkButton
            kind="quiet"
            href={`${path}/${member.person_id}/remove`}
            opens={dialogId}
            label={`Remove ${member.email}`}
          >
            Remove
          </LinkButton>
          <Dialog id={dialogId} title={`Remove ${member.email}?`}>
            <RemoveMemberForm member={member} />
          </Dialog>
        </div>
      )}
    </li>
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
      <p>
        They are signed out of this account at once and can not sign in to it again. Keys that they have
        created go on working: delete those too where needed.
      </p>
      <div class="buttons">
        <Button kind="danger">Remove member</Button>
        <LinkButton href={pagePaths.settings}>Keep them</LinkButton>
      </div>
    </Form>
  );
}

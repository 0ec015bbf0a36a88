import { accountNameLengthMax, type ListedSession, type SessionMethod } from '#contracts';
import { Button, LinkButton } from '../../components/controls.js';
import { Badge, Card, Facts, Moment, Row } from '../../components/display.js';
import { Action, Field, Form } from '../../components/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';
import { Members } from './members.js';
import { NotificationSettings } from './notices.js';
import { type SettingsView } from './settings-view.js';

/** The account, its members and notifications, and where the person is signed in. */
export function settingsPage(props: SettingsView): PageView {
  const { account, isOwner, sessions, email } = props;
  return {
    title: 'Settings',
    section: 'settings',
    answer: account.name,
    body: (
      <>
        <Card title="Account">
          <Facts
            of={{
              Email: account.email,
              Created: <Moment at={account.created_at} as="date" />,
              'Account ID': <code>{account.id}</code>,
            }}
          />
          {isOwner && (
            <Form action={`${pagePaths.settings}/account`} class="line-form">
              <Field
                id="account-name"
                name="name"
                label="Name"
                input={{ required: true, maxLength: accountNameLengthMax, value: account.name }}
              />
              <Button>Save name</Button>
            </Form>
          )}
          {isOwner && <LinkButton href={`${pagePaths.settings}/close`}>Close account</LinkButton>}
        </Card>
        <Members {...props} />
        <NotificationSettings {...props} />
        <Card title="Where you are signed in" id="sessions">
          <p>
            You sign in as <strong>{email}</strong>.{' '}
            <a href={`${pagePaths.settings}/email`}>Change email address</a>
          </p>
          <ul>{sessions.map(sessionRow)}</ul>
        </Card>
      </>
    ),
  };
}

const methodWords: Readonly<Record<SessionMethod, string>> = {
  mail: 'by email',
  provider: 'through your company',
  operator: 'with a link from the operator',
};

function sessionRow(session: ListedSession) {
  const { session_id: id, user_agent: userAgent, network, method, is_current: isCurrent } = session;
  const browser = browserOf(userAgent);
  const hint = (
    <>
      From {network}, signed in {methodWords[method]} <Moment at={session.signed_in_at} />, last seen{' '}
      <Moment at={session.last_seen_at} />
    </>
  );
  return (
    <Row title={browser} badge={isCurrent && <Badge kind="good">This device</Badge>} hint={hint}>
      {!isCurrent && (
        <Action
          action={`${pagePaths.settings}/sessions/end`}
          hidden={{ session_id: id }}
          verb="Sign out"
          label={`Sign out ${browser}`}
        />
      )}
    </Row>
  );
}

/** Most specific first: each browser also claims to be those below it. */
const browsers = [/Edg\w*\/\S+/, /OPR\/\S+/, /(Firefox|FxiOS)\/\S+/, /(Chrome|CriOS)\/\S+/, /Safari\/\S+/];
const userAgentLengthMax = 60;

/** `Firefox/140.0 (X11; Linux x86_64)`, from a user agent. */
function browserOf(userAgent: string): string {
  const [browser] = browsers.map((pattern) => pattern.exec(userAgent)?.[0]).filter(Boolean);
  const system = /\([^)]*\)/.exec(userAgent)?.[0] ?? '';
  return `${browser ?? userAgent} ${system}`.trim().slice(0, userAgentLengthMax);
}

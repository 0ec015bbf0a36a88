import { accountNameLengthMax, type ListedSession, type SessionMethod } from '#contracts';
import { Button } from '../../components/controls.js';
import { Badge, Card, Done, Fact, Facts, Moment, PageTitle } from '../../components/display.js';
import { Field, Form } from '../../components/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';
import { Members } from './members.js';
import { NotificationSettings } from './notices.js';
import { type SettingsView } from './settings-view.js';

/** The account, its members and notifications, and where the person is signed in. */
export function settingsPage(props: SettingsView, done?: string): PageView {
  const { account, isOwner } = props;
  const name = { required: true, maxLength: accountNameLengthMax, value: account.name };
  return {
    title: 'Settings',
    section: 'settings',
    body: (
      <>
        <PageTitle title="Settings" answer={account.name} />
        {done && <Done>{done}</Done>}
        <Card title="Account">
          <Facts>
            <Fact name="Email">{account.email}</Fact>
            <Fact name="Created">
              <Moment at={account.created_at} as="date" />
            </Fact>
            <Fact name="Account ID">
              <code>{account.id}</code>
            </Fact>
          </Facts>
          {isOwner && (
            <Form action={`${pagePaths.settings}/account`} class="line-form">
              <Field id="account-name" name="name" label="Name" input={{ ...name, autocomplete: 'off' }} />
              <Button>Save name</Button>
            </Form>
          )}
        </Card>
        <Members {...props} />
        <NotificationSettings {...props} />
        <Card title="Where you are signed in" id="sessions">
          <ul class="rows">
            {props.sessions.map((session) => (
              <Session key={session.session_id} session={session} />
            ))}
          </ul>
        </Card>
      </>
    ),
  };
}

const methodWords: Readonly<Record<SessionMethod, string>> = {
  mail: 'by email ',
  provider: 'through your company ',
  operator: 'with a link from the operator ',
};

function Session({ session }: { readonly session: ListedSession }) {
  const { session_id: id, user_agent: userAgent, network, method, is_current: isCurrent } = session;
  const browser = browserOf(userAgent);
  return (
    <li>
      <div class="row-text">
        <strong title={userAgent}>{browser}</strong> {isCurrent && <Badge kind="good">This device</Badge>}
        <p class="hint">
          From {network}, signed in {methodWords[method]}
          <Moment at={session.signed_in_at} />, last seen <Moment at={session.last_seen_at} />
        </p>
      </div>
      {!isCurrent && (
        <Form action={`${pagePaths.settings}/sessions/end`} hidden={{ session_id: id }}>
          <Button label={`Sign out ${browser}`}>Sign out</Button>
        </Form>
      )}
    </li>
  );
}

/** Most specific first: each browser also claims to be those below it. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];
const userAgentLengthMax = 60;

/** `Firefox on Windows`, from a user agent. */
function browserOf(userAgent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) return userAgent.slice(0, userAgentLengthMax);
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}

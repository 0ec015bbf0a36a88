import { Card } from '../../components/display/card.js';
import { Done } from '../../components/display/done.js';
import { Fact, Facts } from '../../components/display/facts.js';
import { Moment } from '../../components/display/moment.js';
import { PageTitle } from '../../components/display/page-title.js';
import { type PageView } from '../../view/page.js';
import { AccountName } from './account-name.js';
import { Members } from './members.js';
import { Notices } from './notices.js';
import { Sessions } from './sessions.js';
import { SignInRulesCard } from './sign-in-rules.js';
import { type SettingsProps } from './settings-props.js';

/** The account, who may see it, what it is told of, and where one is signed in. */
export function settingsPage(props: SettingsProps): PageView {
  const { account, done } = props;
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
            <Fact name="Since">
              <Moment at={account.created_at} as="date" />
            </Fact>
            <Fact name="Account id">
              <code>{account.id}</code>
            </Fact>
          </Facts>
          {props.isOwner && <AccountName {...props} />}
        </Card>
        <Members {...props} />
        <SignInRulesCard {...props} />
        <Notices {...props} />
        <Sessions sessions={props.sessions} />
      </>
    ),
  };
}

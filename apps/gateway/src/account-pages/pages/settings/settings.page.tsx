import { Card } from '../../components/display/card.js';
import { Done } from '../../components/display/done.js';
import { Fact, Facts } from '../../components/display/facts.js';
import { Moment } from '../../components/display/moment.js';
import { Notice } from '../../components/display/notice.js';
import { PageTitle } from '../../components/display/page-title.js';
import { type PageView } from '../../view/page.js';
import { Members } from './members.js';
import { Notices } from './notices.js';
import { Sessions } from './sessions.js';
import { type SettingsProps } from './settings-props.js';

/** The account, who may see it, what it is told of, and where one is signed in. */
export function settingsPage(props: SettingsProps): PageView {
  const { account, done, problem, status } = props;
  return {
    title: 'Settings',
    section: 'settings',
    ...(status === undefined ? {} : { status }),
    body: (
      <>
        <PageTitle title="Settings" answer={account.name} />
        {done && <Done>{done}</Done>}
        {problem && <Notice kind="problem">{problem}</Notice>}
        <Card title="Account">
          <Facts>
            <Fact name="Address">{account.email}</Fact>
            <Fact name="Since">
              <Moment at={account.created_at} as="date" />
            </Fact>
            <Fact name="Account id">
              <code>{account.id}</code>
            </Fact>
          </Facts>
        </Card>
        <Members {...props} />
        <Notices {...props} />
        <Sessions sessions={props.sessions} />
      </>
    ),
  };
}

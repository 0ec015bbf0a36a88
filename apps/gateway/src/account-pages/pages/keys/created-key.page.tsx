import { LinkButton } from '../../components/controls/button.js';
import { Copyable } from '../../components/controls/copyable.js';
import { Card } from '../../components/display/card.js';
import { Done } from '../../components/display/done.js';
import { PageTitle } from '../../components/display/page-title.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';
import { firstCall } from '../first-call.js';

/** A new key, the only time that it is shown. */
export function createdKeyPage(name: string, secret: string, origin: string): PageView {
  return {
    title: 'New key',
    section: 'keys',
    body: (
      <>
        <PageTitle title="New key" answer={name} />
        <Done>Created {name}. Copy the key now: it is not shown again.</Done>
        <Card title="Your key">
          <Copyable id="secret" what="key" text={secret} mustCopy />
          <p class="hint">
            Keep it on your server, never in a browser or an app. Lost it? Delete it, and create another.
          </p>
        </Card>
        <Card title="Try it">
          <Copyable id="command" what="command" text={firstCall(origin, secret)} />
          <p class="hint">It shows three creators, and costs 1 credit.</p>
        </Card>
        <p>
          <LinkButton kind="primary" href={pagePaths.keys}>
            I have copied it
          </LinkButton>
        </p>
      </>
    ),
  };
}

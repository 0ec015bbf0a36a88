import { type ListedSession, type SessionMethod } from '@app/contracts';
import { Button } from '../../components/controls/button.js';
import { Form } from '../../components/controls/form.js';
import { Badge } from '../../components/display/badge.js';
import { Card } from '../../components/display/card.js';
import { Moment } from '../../components/display/moment.js';
import { pagePaths } from '../../paths/page-paths.js';
import { browserOf } from './browser-of.js';

const methodWords: Readonly<Record<SessionMethod, string>> = {
  mail: 'by email',
  provider: 'through your company',
  operator: 'with a link of the operator',
};

/** Where the person is signed in. */
export function Sessions({ sessions }: { readonly sessions: readonly ListedSession[] }) {
  return (
    <Card title="Where you are signed in" id="sessions">
      <ul class="rows">
        {sessions.map((session) => (
          <li key={session.session_id}>
            <div class="row-text">
              <strong title={session.user_agent}>{browserOf(session.user_agent)}</strong>{' '}
              {session.is_current && <Badge kind="good">This device</Badge>}
              <p class="hint">
                From {session.network}, signed in {session.method && `${methodWords[session.method]} `}
                <Moment at={session.signed_in_at} />, last seen <Moment at={session.last_seen_at} />
              </p>
            </div>
            {!session.is_current && (
              <Form action={`${pagePaths.settings}/sessions/end`} hidden={{ session_id: session.session_id }}>
                <Button label={`Sign out ${browserOf(session.user_agent)}`}>Sign out</Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

import { Button, LinkButton } from '../../components/controls/button.js';
import { Form } from '../../components/controls/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

const path = `${pagePaths.signIn}/link`;

/** What a link to sign in opens, of a mail or of an operator. Only the button signs in: mail scanners open links too. */
export function linkPage(token: string): PageView {
  return {
    title: 'Sign in',
    body: (
      <section class="panel">
        <h1>Sign in to your account</h1>
        <p>This link signs you in once.</p>
        <Form action={path} hidden={{ token }}>
          <Button kind="primary">Sign in</Button>
        </Form>
        <p class="hint">Didn't ask for this link? Close this page, and nothing happens.</p>
      </section>
    ),
  };
}

/** A link that no longer works. */
export function oldLinkPage(): PageView {
  return {
    title: 'Link expired',
    status: 401,
    body: (
      <section class="panel">
        <h1>This link has expired</h1>
        <p>
          It has been used, is too old or is not complete. A link in an email is valid for ten minutes, one
          that an operator gave you for an hour.
        </p>
        <p>
          <LinkButton kind="primary" href={pagePaths.signIn}>
            Sign in again
          </LinkButton>
        </p>
      </section>
    ),
  };
}

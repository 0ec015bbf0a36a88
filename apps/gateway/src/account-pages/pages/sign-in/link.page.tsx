import { Button, LinkButton } from '../../components/controls/button.js';
import { Form } from '../../components/controls/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

const path = `${pagePaths.signIn}/link`;

/** What the link of a mail opens. Only the button signs in, because mail scanners open links too. */
export function linkPage(token: string): PageView {
  return {
    title: 'Sign in',
    body: (
      <section class="panel">
        <h1>Sign in to your account</h1>
        <p>You have opened the link of our mail. It works once.</p>
        <Form action={path} hidden={{ token }}>
          <Button kind="primary">Sign in</Button>
        </Form>
        <p class="hint">You did not ask for this mail? Then close this page: nothing happens.</p>
      </section>
    ),
  };
}

/** A link that does not work any more. */
export function oldLinkPage(): PageView {
  return {
    title: 'Old link',
    status: 401,
    body: (
      <section class="panel">
        <h1>This link does not work any more</h1>
        <p>It was used already, is older than ten minutes, or is not complete. Nothing was changed.</p>
        <p>
          <LinkButton kind="primary" href={pagePaths.signIn}>
            Send a new one
          </LinkButton>
        </p>
      </section>
    ),
  };
}

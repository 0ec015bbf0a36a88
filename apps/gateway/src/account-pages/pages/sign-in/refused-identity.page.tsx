import { LinkButton } from '../../components/controls/button.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

/** A sign-in with a provider that did not work. */
export function refusedIdentityPage(reason: string): PageView {
  return {
    title: 'Not signed in',
    status: 401,
    body: (
      <section class="panel">
        <h1>You are not signed in</h1>
        <p>{reason}</p>
        <p>
          <LinkButton kind="primary" href={pagePaths.signIn}>
            Sign in another way
          </LinkButton>
        </p>
      </section>
    ),
  };
}

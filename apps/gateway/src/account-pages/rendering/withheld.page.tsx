import { LinkButton } from '../components/controls/button.js';
import { pagePaths, withQuery } from '../paths/page-paths.js';
import { type WithheldAccountError } from '../sessions/without-account.js';
import { type PageView } from '../view/page.js';
import { usePage } from '../view/page-context.js';

/** An account that this session may not show: why, and how to sign in for it. */
export function withheldPage(error: WithheldAccountError): PageView {
  const { name, asks } = error.account;
  const title = asks === 'provider' ? `${name} asks for sign-in through your company` : 'Sign in again';
  return {
    title,
    status: 403,
    body: (
      <section class="panel">
        <h1>{title}</h1>
        <Reason error={error} />
        <p>
          <a href={pagePaths.accounts}>Your accounts</a>
        </p>
      </section>
    ),
  };
}

function Reason({ error }: { readonly error: WithheldAccountError }) {
  const { hasProvider } = usePage();
  const { account, session, wantedPath } = error;
  const isThroughProvider = account.asks === 'provider' || (session.method === 'provider' && hasProvider);
  const returnTo = { return_to: wantedPath };
  return (
    <>
      <p>
        {account.asks === 'provider'
          ? `You are signed in as ${session.email}, but not through your company's single sign-on.`
          : `${account.name} asks its members to sign in again after some time. You are signed in as ${session.email}.`}
      </p>
      {isThroughProvider && !hasProvider && (
        <p>
          Single sign-on is not available here at the moment. Ask the operator of this service for a sign-in
          link.
        </p>
      )}
      {isThroughProvider && hasProvider && (
        <p>
          <LinkButton kind="primary" href={withQuery(`${pagePaths.signIn}/provider`, returnTo)}>
            Continue with single sign-on
          </LinkButton>
        </p>
      )}
      {!isThroughProvider && (
        <p>
          <LinkButton kind="primary" href={withQuery(pagePaths.signIn, returnTo)}>
            Sign in again
          </LinkButton>
        </p>
      )}
    </>
  );
}

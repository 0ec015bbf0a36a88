import { type ErrorCode, type ServiceError } from '#contracts';
import { LinkButton } from '../components/controls.js';
import { Panel } from '../components/display.js';
import { homePath, pagePaths, withQuery } from '../paths/page-paths.js';
import { type WithheldAccountError } from '../sessions/session.guard.js';
import { type PageView, usePage } from '../view/page.js';

const titles: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'Too many requests',
  unauthorized: 'Sign in first',
};

/** A path or object that does not exist, or that the person must not see: the page does not say which. */
export function notFoundPage(status: number): PageView {
  return {
    title: 'Page not found',
    status,
    body: (
      <section class="error-page">
        <h1>Page not found</h1>
        <p class="lead">This page does not exist, or you don't have access to it.</p>
        <WayOut />
      </section>
    ),
  };
}

/** An error that no form can show beside what was typed. */
export function errorPage(error: ServiceError, status: number, requestId: string): PageView {
  if (error.code === 'not_found' || error.code === 'method_not_allowed') return notFoundPage(status);
  const title = status >= 500 ? 'Not available right now' : (titles[error.code] ?? 'Something went wrong');
  const details = Object.values(error.details ?? {}).flat();
  return {
    title,
    status,
    body: (
      <section class="error-page">
        <h1>{title}</h1>
        <p class="lead">{error.message}</p>
        {details.length > 0 && (
          <ul>
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
        {status === 503 && <p>Your account and your credits are unchanged. Try again in a moment.</p>}
        <WayOut />
        <p class="hint">
          Contacting support? Mention this ID: <code>{requestId}</code>
        </p>
      </section>
    ),
  };
}

function WayOut() {
  const { isMember } = usePage();
  return (
    <p>
      {isMember ? (
        <LinkButton href={pagePaths.overview}>Go to your account</LinkButton>
      ) : (
        <LinkButton href={homePath}>Go to the home page</LinkButton>
      )}
    </p>
  );
}

/** An account that this session may not show: why, and how to sign in to it. */
export function withheldPage(error: WithheldAccountError): PageView {
  const { name, asks } = error.account;
  const title = asks === 'provider' ? `${name} requires single sign-on` : 'Sign in again';
  return {
    title,
    status: 403,
    body: (
      <Panel title={title}>
        <WithheldReason error={error} />
        <p>
          <a href={pagePaths.accounts}>Your accounts</a>
        </p>
      </Panel>
    ),
  };
}

function WithheldReason({ error }: { readonly error: WithheldAccountError }) {
  const { hasProvider } = usePage();
  const { account, session, wantedPath } = error;
  const isProviderOnly = account.asks === 'provider';
  const isThroughProvider = isProviderOnly || (session.method === 'provider' && hasProvider);
  const signInPath = isThroughProvider ? `${pagePaths.signIn}/provider` : pagePaths.signIn;
  return (
    <>
      <p>
        {isProviderOnly
          ? `You are signed in as ${session.email}, but not through your company's single sign-on.`
          : `${account.name} requires its members to sign in again after some time. You are signed in as ${session.email}.`}
      </p>
      <p>
        {isThroughProvider && !hasProvider ? (
          'Single sign-on is currently not available here. Ask the operator of this service for a sign-in link.'
        ) : (
          <LinkButton kind="primary" href={withQuery(signInPath, { return_to: wantedPath })}>
            {isThroughProvider ? 'Continue with single sign-on' : 'Sign in again'}
          </LinkButton>
        )}
      </p>
    </>
  );
}

import { type ErrorCode, type ServiceError } from '#contracts';
import { LinkButton } from '../components/controls.js';
import { homePath, pagePaths } from '../paths/page-paths.js';
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

import { type ErrorCode, type ServiceError } from '@app/contracts';
import { LinkButton } from '../components/controls/button.js';
import { pagePaths } from '../paths/page-paths.js';
import { type PageView } from '../view/page.js';

const titles: Partial<Record<ErrorCode, string>> = {
  forbidden: 'That did not work',
  not_found: 'Not found',
  method_not_allowed: 'Not found',
  conflict: 'That did not work',
  invalid_request: 'That did not work',
  rate_limited: 'Too many at once',
  payload_too_large: 'That did not work',
  unauthorized: 'Sign in first',
  unsupported_media_type: 'That did not work',
};

/** An error that no form could show beside what was typed. */
export function errorPage(error: ServiceError, status: number, requestId: string): PageView {
  const title = titles[error.code] ?? 'Not available right now';
  const isLost = error.code === 'not_found' || error.code === 'method_not_allowed';
  const details = Object.values(error.details ?? {}).flat();
  return {
    title,
    status,
    body: (
      <section class="error-page">
        <h1>{title}</h1>
        <p class="lead">{isLost ? 'There is no such page, or it is not yours to see.' : error.message}</p>
        {details.length > 0 && (
          <ul>
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
        {status === 503 && <p>Your account and your credits are as they were. Try again in a moment.</p>}
        <p>
          <LinkButton href={pagePaths.overview}>Go to your account</LinkButton>
        </p>
        <p class="hint">
          If you ask us about it, say <code>{requestId}</code>.
        </p>
      </section>
    ),
  };
}

import { type ErrorCode, type ServiceError } from '#contracts';
import { type ComponentChildren } from 'preact';
import { LinkButton } from '../components/controls.js';
import { Panel } from '../components/display.js';
import { homePath } from '../paths/page-paths.js';
import { type PageView } from '../view/page.js';

const titles: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'Too many requests',
  unauthorized: 'Sign in first',
};

/** A path or object that does not exist, or that the person must not see: the page does not say which. */
export function notFoundPage(status: number): PageView {
  const title = 'Page not found';
  return messagePage(title, status, <p>This page does not exist, or you don't have access to it.</p>);
}

/** An error that no form can show beside what was typed. */
export function errorPage(error: ServiceError, status: number, requestId: string): PageView {
  if (error.code === 'not_found' || error.code === 'method_not_allowed') return notFoundPage(status);
  const title = status >= 500 ? 'Not available right now' : (titles[error.code] ?? 'Something went wrong');
  return messagePage(
    title,
    status,
    <>
      <p>{error.message}</p>
      {Object.values(error.details ?? {})
        .flat()
        .map((detail) => (
          <p key={detail}>{detail}</p>
        ))}
      {status === 503 && <p>Your account and your credits are unchanged. Try again in a moment.</p>}
      <p class="hint">
        Contacting support? Mention this ID: <code>{requestId}</code>
      </p>
    </>,
  );
}

function messagePage(title: string, status: number, message: ComponentChildren): PageView {
  return {
    title,
    status,
    body: (
      <Panel title={title}>
        {message}
        <LinkButton href={homePath}>Go to the home page</LinkButton>
      </Panel>
    ),
  };
}

import { type ErrorCode, type ServiceError } from '#contracts';
import { LinkButton } from '../components/controls.js';
import { panelPage } from '../components/display.js';
import { homePath } from '../paths/page-paths.js';
import { type PageView } from '../view/page.js';

const titles: Partial<Record<ErrorCode, string>> = {
  not_found: 'Page not found',
  method_not_allowed: 'Page not found',
  rate_limited: 'Too many requests',
  unauthorized: 'Sign in first',
};

/** An error that no form shows. Objects that do not exist and objects that the person must not see get the same page. */
export function errorPage(
  { code, message, details = {} }: ServiceError,
  status: number,
  id: string,
): PageView {
  const title = status >= 500 ? 'Not available right now' : (titles[code] ?? 'Something went wrong');
  const isMissing = title === titles.not_found;
  const sentences = isMissing
    ? ["This page does not exist, or you don't have access to it."]
    : [message, ...Object.values(details).flat()];
  return panelPage(
    title,
    <>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {status === 503 && <p>Your account and your credits are unchanged. Try again in a moment.</p>}
      {!isMissing && (
        <p class="hint">
          Contacting support? Mention this ID: <code>{id}</code>
        </p>
      )}
      <LinkButton href={homePath}>Go to the home page</LinkButton>
    </>,
    { status },
  );
}

import { LinkButton } from '../../components/controls.js';
import { panelPage } from '../../components/display.js';
import { type IdentityRefusal, type RefusalReason } from '../../openid/identity-refusal.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

/** The person cannot do anything about it. */
const operatorReasons: readonly RefusalReason[] = ['provider_unavailable', 'misconfigured'];
/** Another account may be admitted: the provider asks people it knows, too. */
const accountReasons: readonly RefusalReason[] = [
  'declined',
  'no_address',
  'address_not_verified',
  'address_refused',
  'not_admitted',
];

/** A failed sign-in with a provider, and what to do about it. `returnTo`: the page that was wanted. */
export function refusedIdentityPage(
  { reason, publicText }: IdentityRefusal,
  requestId: string,
  returnTo: string | undefined,
): PageView {
  const return_to = returnTo === pagePaths.overview ? undefined : returnTo;
  const isOfAccount = accountReasons.includes(reason);
  const account = isOfAccount ? 'another' : undefined;
  return panelPage(
    'You are not signed in',
    <>
      <p>{publicText}</p>
      <div class="group">
        {reason !== 'misconfigured' && (
          <LinkButton kind="primary" href={withQuery(`${pagePaths.signIn}/provider`, { return_to, account })}>
            {isOfAccount ? 'Try another account' : 'Try again'}
          </LinkButton>
        )}
        <LinkButton href={withQuery(pagePaths.signIn, { return_to })}>Sign in another way</LinkButton>
      </div>
      <p class="hint">
        Contacting support? Mention this ID: <code>{requestId}</code>
      </p>
    </>,
    { status: operatorReasons.includes(reason) ? 503 : 401 },
  );
}

import { LinkButton } from '../../components/controls.js';
import { panelPage } from '../../components/display.js';
import { type IdentityRefusal, type RefusalReason } from '../../openid/identity-refusal.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

interface RefusedIdentityProps {
  /** The page that was wanted. */
  readonly returnTo: string | undefined;
  readonly requestId: string;
}

const texts: Readonly<Record<RefusalReason, string>> = {
  declined:
    'You cancelled, or your company does not allow you to use this service. To get access, ask your administrator.',
  interaction_needed:
    'Your company needs something from you first, such as a password or your consent. Try again and follow its steps.',
  provider_error:
    'Your company could not sign you in. Try again in a minute. If the problem continues, contact the operator of this service.',
  provider_unavailable: "Your company's sign-in does not respond. Try again in a minute.",
  misconfigured:
    'Single sign-on is not set up correctly here. Contact the operator of this service, and sign in another way until then.',
  unknown_attempt:
    'This sign-in was started in another browser, was already used, or was started more than 10 minutes ago.',
  code_refused: 'Your company did not confirm who you are: this sign-in has expired or was already used.',
  answer_refused: 'Your company did not confirm who you are.',
  no_address:
    'Your company gave us no email address for you. Ask your administrator to add one to your account there.',
  address_not_verified: 'Your company did not confirm that your email address is yours.',
  address_refused:
    'The email address that your company gave us for you cannot be used here: it contains characters that can be mistaken for others, such as full-width letters.',
  not_admitted: 'You cannot sign in here with this account.',
};

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

/** A failed sign-in with a provider, and what to do about it. */
export function refusedIdentityPage(
  { reason, publicText }: IdentityRefusal,
  { returnTo, requestId }: RefusedIdentityProps,
): PageView {
  const return_to = returnTo === pagePaths.overview ? undefined : returnTo;
  const isOfAccount = accountReasons.includes(reason);
  const account = isOfAccount || reason === 'interaction_needed' ? 'another' : undefined;
  return panelPage(
    'You are not signed in',
    <>
      <p>{publicText ?? texts[reason]}</p>
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

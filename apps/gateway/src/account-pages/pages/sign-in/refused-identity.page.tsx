import { LinkButton } from '../../components/controls.js';
import { Panel } from '../../components/display.js';
import { type IdentityRefusal, type RefusalReason } from '../../openid/identity-refusal.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

interface RefusedIdentityProps {
  /** The page that was wanted. */
  readonly returnTo: string | undefined;
  readonly requestId: string;
}

interface Words {
  readonly text: string;
  /** The button that tries the provider again; for another account, it asks people it knows, too. */
  readonly again?: 'Try another account' | 'Try again';
  /** The provider asks for the account, although the button does not say so. */
  readonly asksWho?: boolean;
  /** The person cannot do anything about it. */
  readonly isOurs?: boolean;
}

const wordsByReason: Readonly<Record<RefusalReason, Words>> = {
  declined: {
    text: 'You cancelled, or your company does not allow you to use this service. To get access, ask your administrator.',
    again: 'Try another account',
  },
  interaction_needed: {
    text: 'Your company needs something from you first, such as a password or your consent. Try again and follow its steps.',
    again: 'Try again',
    asksWho: true,
  },
  provider_error: {
    text: 'Your company could not sign you in. Try again in a minute. If the problem continues, contact the operator of this service.',
    again: 'Try again',
  },
  provider_unavailable: {
    text: "Your company's sign-in does not respond. Try again in a minute.",
    again: 'Try again',
    isOurs: true,
  },
  misconfigured: {
    text: 'Single sign-on is not set up correctly here. Contact the operator of this service, and sign in another way until then.',
    isOurs: true,
  },
  unknown_attempt: {
    text: 'This sign-in was started in another browser, was already used, or was started more than 10 minutes ago.',
    again: 'Try again',
  },
  code_refused: {
    text: 'Your company did not confirm who you are: this sign-in has expired or was already used.',
    again: 'Try again',
  },
  answer_refused: { text: 'Your company did not confirm who you are.', again: 'Try again' },
  no_address: {
    text: 'Your company gave us no email address for you. Ask your administrator to add one to your account there.',
    again: 'Try another account',
  },
  address_not_verified: {
    text: 'Your company did not confirm that your email address is yours.',
    again: 'Try another account',
  },
  address_refused: {
    text: 'The email address that your company gave us for you cannot be used here: it contains characters that can be mistaken for others, such as full-width letters.',
    again: 'Try another account',
  },
  not_admitted: { text: 'You cannot sign in here with this account.', again: 'Try another account' },
};

/** A failed sign-in with a provider, and what to do about it. */
export function refusedIdentityPage(
  { reason, publicText }: IdentityRefusal,
  { returnTo, requestId }: RefusedIdentityProps,
): PageView {
  const return_to = returnTo === pagePaths.overview ? undefined : returnTo;
  const { text, again, asksWho = again === 'Try another account', isOurs = false } = wordsByReason[reason];
  const account = asksWho ? 'another' : undefined;
  return {
    title: 'Not signed in',
    status: isOurs ? 503 : 401,
    body: (
      <Panel title="You are not signed in">
        <p>{publicText ?? text}</p>
        <div class="buttons">
          {again && (
            <LinkButton
              kind="primary"
              href={withQuery(`${pagePaths.signIn}/provider`, { return_to, account })}
            >
              {again}
            </LinkButton>
          )}
          <LinkButton href={withQuery(pagePaths.signIn, { return_to })}>Sign in another way</LinkButton>
        </div>
        <p class="hint">
          Contacting support? Mention this ID: <code>{requestId}</code>
        </p>
      </Panel>
    ),
  };
}

import { LinkButton } from '../../components/controls/button.js';
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
  /** The button that asks the provider once more. */
  readonly again?: 'Try another account' | 'Try again';
  /** The provider then asks who it is, also of a person whom it knows. */
  readonly asksWho?: boolean;
  /** Nothing that the person does differently would help. */
  readonly isOurs?: boolean;
}

const wordsByReason: Readonly<Record<RefusalReason, Words>> = {
  declined: {
    text: 'You cancelled, or your company does not let you use this service. If you need it, ask your administrator.',
    again: 'Try another account',
    asksWho: true,
  },
  interaction_needed: {
    text: 'Your company wants to know something of you first, such as a password or a consent. Try again and answer it.',
    again: 'Try again',
    asksWho: true,
  },
  provider_error: {
    text: 'Your company could not sign you in just now. Try again in a minute; if it stays so, tell the operator of this service.',
    again: 'Try again',
  },
  provider_unavailable: {
    text: 'The sign-in of your company does not answer. Try again in a minute.',
    again: 'Try again',
    isOurs: true,
  },
  misconfigured: {
    text: 'Single sign-on is not set up correctly here. Tell the operator of this service, and sign in another way until then.',
    isOurs: true,
  },
  unknown_attempt: {
    text: 'This sign-in began in another browser, has been used already, or began more than ten minutes ago.',
    again: 'Try again',
  },
  code_refused: {
    text: 'Your company did not confirm who you are: this sign-in has expired or was used already.',
    again: 'Try again',
  },
  answer_refused: { text: 'Your company did not confirm who you are.', again: 'Try again' },
  no_address: {
    text: 'Your company gave no email address for you. Ask your administrator to add one to your account there.',
    again: 'Try another account',
    asksWho: true,
  },
  address_not_verified: {
    text: 'Your company did not confirm that your email address is yours.',
    again: 'Try another account',
    asksWho: true,
  },
  address_refused: {
    text:
      'The email address that the provider gave for you cannot be used here: it has characters that stand for others, ' +
      'such as full-width letters.',
    again: 'Try another account',
    asksWho: true,
  },
  not_admitted: {
    text: 'You cannot sign in here with this account.',
    again: 'Try another account',
    asksWho: true,
  },
};

/** A sign-in with a provider that did not work, and what to do about it. */
export function refusedIdentityPage(
  { reason, told }: IdentityRefusal,
  { returnTo: wanted, requestId }: RefusedIdentityProps,
): PageView {
  const returnTo = wanted === pagePaths.overview ? undefined : wanted;
  const { text, again, asksWho = false, isOurs = false } = wordsByReason[reason];
  return {
    title: 'Not signed in',
    status: isOurs ? 503 : 401,
    body: (
      <section class="panel">
        <h1>You are not signed in</h1>
        <p>{told ?? text}</p>
        {again && (
          <p>
            <LinkButton
              kind="primary"
              href={withQuery(`${pagePaths.signIn}/provider`, {
                return_to: returnTo,
                account: asksWho ? 'another' : undefined,
              })}
            >
              {again}
            </LinkButton>
          </p>
        )}
        <p>
          <LinkButton
            kind={again ? 'plain' : 'primary'}
            href={withQuery(pagePaths.signIn, { return_to: returnTo })}
          >
            Sign in another way
          </LinkButton>
        </p>
        <p class="hint">
          Contacting support? Mention this ID: <code>{requestId}</code>
        </p>
      </section>
    ),
  };
}

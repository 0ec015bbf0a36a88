import { type OpenSignInLink, type SignInMethods } from '#contracts';
import { Button, LinkButton } from '../../components/controls.js';
import { Facts, panelPage } from '../../components/display.js';
import { Action, EmailField, Field, Form } from '../../components/form.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { Contact } from '../buy/packs.js';
import { type PageView } from '../../view/page.js';

interface SignInProps {
  /** For people who have no account. */
  readonly isSignUp: boolean;
  /** A page to go to afterwards. */
  readonly returnTo: string | undefined;
  /** `null`: not known now. The form says what is wrong when it is sent. */
  readonly methods: SignInMethods | null;
  /** An OpenID provider is configured. */
  readonly hasProvider: boolean;
  readonly email?: string;
}

/** Asks for the email address to send a link and a code to; without mail, says how else to sign in. */
export function signInPage(props: SignInProps): PageView {
  const { isSignUp, returnTo, methods, hasProvider, email } = props;
  const isSignUpOpen = methods?.sign_up_open;
  if (isSignUp && isSignUpOpen === false) return closedPage();
  const title = isSignUp ? 'Sign up' : 'Sign in';
  return panelPage(
    title,
    <>
      {returnTo !== undefined && !isSignUp && <p>Sign in to continue.</p>}
      {(methods?.by_mail ?? true) ? (
        <Form action={isSignUp ? pagePaths.signUp : pagePaths.signIn} hidden={{ return_to: returnTo }}>
          <EmailField
            id="email"
            label="Email address"
            hint="We email you a link and a code. There is no password."
            input={{ autocomplete: 'email', value: email }}
          />
          <Button kind="primary">Send link and code</Button>
        </Form>
      ) : (
        <p>
          {hasProvider
            ? 'Use single sign-on, or a sign-in link from the operator of this service.'
            : 'This service sends no email. To sign in, ask the operator for a sign-in link.'}
        </p>
      )}
      {isSignUp && (
        <p class="hint">
          We create your account when you open the link or enter the code. Have one already?{' '}
          <a href={withQuery(pagePaths.signIn, { return_to: returnTo })}>Sign in</a>
        </p>
      )}
      {!isSignUp && isSignUpOpen && (
        <p class="hint">
          New here? <a href={withQuery(pagePaths.signUp, { return_to: returnTo })}>Sign up</a>
        </p>
      )}
      {hasProvider && (
        <LinkButton href={withQuery(`${pagePaths.signIn}/provider`, { return_to: returnTo })}>
          Continue with single sign-on
        </LinkButton>
      )}
    </>,
    { offersSignUp: isSignUpOpen === true },
  );
}

/** For the code of a mail. */
export function CodeField() {
  return (
    <Field
      id="code"
      name="code"
      label="Six-digit code"
      input={{
        required: true,
        inputMode: 'numeric',
        autocomplete: 'one-time-code',
        pattern: '[0-9 ]{6,9}',
        maxLength: 9,
        autofocus: true,
      }}
    />
  );
}

/** Sign-up where accounts are created by invitation. */
function closedPage(): PageView {
  return panelPage(
    'Sign up',
    <>
      <p>Accounts are created by invitation or by the operator of this service.</p>
      <p>
        <Contact />
      </p>
      <LinkButton href={pagePaths.signIn}>Sign in</LinkButton>
    </>,
  );
}

/** Asks for the code of a mail; the link in it works too. */
export function codePage({ email, returnTo }: { email: string; returnTo: string | undefined }): PageView {
  return panelPage(
    'Check your email',
    <>
      <p>
        If <strong>{email}</strong> can sign in, we have emailed it a link and a code. Both are valid for 10
        minutes.
      </p>
      <Form action={`${pagePaths.signIn}/code`} hidden={{ return_to: returnTo }}>
        <CodeField />
        <Button kind="primary">Sign in</Button>
      </Form>
      <p class="hint">
        No email after a minute? Check your spam folder, or{' '}
        <a href={withQuery(pagePaths.signIn, { return_to: returnTo })}>send it again</a>.
      </p>
    </>,
  );
}

/** The page of a sign-in link. Only its button signs in: mail scanners open links, too. */
export function linkPage(token: string, { email, account }: OpenSignInLink): PageView {
  return panelPage(
    'Sign in to your account',
    <>
      <p>This link signs you in once.</p>
      <Facts of={{ 'Signs in': email, Account: account }} />
      <Action action={`${pagePaths.signIn}/link`} hidden={{ token }} kind="primary" verb="Sign in" />
      <p class="hint">Not you, or didn't request this link? Close this page, and nothing happens.</p>
    </>,
  );
}

/** A link that no longer works. */
export function oldLinkPage(): PageView {
  return panelPage(
    'This link has expired',
    <>
      <p>
        It was already used, is too old or is incomplete. A link in an email is valid for 10 minutes, a link
        from an operator for an hour.
      </p>
      <LinkButton kind="primary" href={pagePaths.signIn}>
        Sign in again
      </LinkButton>
    </>,
    { status: 401 },
  );
}

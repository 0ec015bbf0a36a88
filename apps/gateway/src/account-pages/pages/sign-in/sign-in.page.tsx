import { Button, LinkButton } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { Done } from '../../components/display/done.js';
import { Notice } from '../../components/display/notice.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

interface SignInProps {
  /** A page to go to afterwards. */
  readonly returnTo: string | undefined;
  /** Mail can be sent here. */
  readonly hasMail: boolean;
  /** A new address gets an account. */
  readonly isSignUpOpen?: boolean | undefined;
  /** An OpenID provider is configured. */
  readonly hasProvider: boolean;
  readonly email?: string;
  readonly isSignedOut?: boolean;
}

/** Asks for an address, to which a link and a code are sent; where no mail can be sent, says how else to sign in. */
export function signInPage(props: SignInProps): PageView {
  const { returnTo, hasMail, isSignUpOpen, hasProvider, email, isSignedOut } = props;
  return {
    title: 'Sign in',
    body: (
      <section class="panel">
        <h1>Sign in</h1>
        {isSignedOut && <Done>You are signed out.</Done>}
        {returnTo !== undefined && <Notice kind="info">Sign in to continue.</Notice>}
        {hasMail ? (
          <EmailForm returnTo={returnTo} email={email} />
        ) : (
          <p>
            {hasProvider
              ? 'Use single sign-on, or a sign-in link from the operator of this service.'
              : 'To sign in, ask the operator of this service for a sign-in link. No email is sent from here.'}
          </p>
        )}
        {isSignUpOpen && (
          <p class="hint">New here? Sign in with your address, and an account is opened for it.</p>
        )}
        {hasProvider && (
          <p class="or">
            <LinkButton href={withQuery(`${pagePaths.signIn}/provider`, { return_to: returnTo })}>
              Continue with single sign-on
            </LinkButton>
          </p>
        )}
      </section>
    ),
  };
}

function EmailForm({ returnTo, email }: Pick<SignInProps, 'returnTo' | 'email'>) {
  return (
    <Form action={pagePaths.signIn} hidden={{ return_to: returnTo }}>
      <Field
        id="email"
        name="email"
        label="Email address"
        hint="We email you a link and a code. There is no password."
        input={{ type: 'email', required: true, maxLength: 254, autocomplete: 'email', value: email }}
      />
      <Button kind="primary">Send link and code</Button>
    </Form>
  );
}

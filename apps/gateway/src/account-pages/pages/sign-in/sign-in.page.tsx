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
  /** An OpenID provider is configured. */
  readonly hasProvider: boolean;
  readonly email?: string;
  readonly problem?: string;
  readonly isSignedOut?: boolean;
  readonly status?: number;
}

/** Asks for an address, to which a link and a code are sent. */
export function signInPage(props: SignInProps): PageView {
  const { returnTo, hasProvider, email, problem, isSignedOut, status } = props;
  return {
    title: 'Sign in',
    ...(status === undefined ? {} : { status }),
    body: (
      <section class="panel">
        <h1>Sign in</h1>
        {isSignedOut && <Done>You are signed out.</Done>}
        {returnTo !== undefined && !problem && <Notice kind="info">Sign in to go on.</Notice>}
        <Form action={pagePaths.signIn} hidden={{ return_to: returnTo }}>
          <Field
            id="email"
            name="email"
            label="E-mail address"
            hint="We send you a link and a code. There is no password."
            problem={problem}
            input={{ type: 'email', required: true, maxLength: 254, autocomplete: 'email', value: email }}
          />
          <Button kind="primary">Send link and code</Button>
        </Form>
        {hasProvider && (
          <p class="or">
            <LinkButton href={withQuery(`${pagePaths.signIn}/provider`, { return_to: returnTo })}>
              Sign in with your company
            </LinkButton>
          </p>
        )}
      </section>
    ),
  };
}

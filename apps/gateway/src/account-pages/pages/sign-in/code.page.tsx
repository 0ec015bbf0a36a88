import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

interface CodeProps {
  readonly email: string;
  readonly returnTo: string | undefined;
}

/** Asks for the code of a mail; the link in it works too. */
export function codePage({ email, returnTo }: CodeProps): PageView {
  return {
    title: 'Enter the code',
    body: (
      <section class="panel">
        <h1>Check your email</h1>
        <p>
          We have sent a link and a code to <strong>{email}</strong>, if that address can sign in. Both are
          valid for 10 minutes.
        </p>
        <Form action={`${pagePaths.signIn}/code`} hidden={{ return_to: returnTo }}>
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
              class: 'code',
            }}
          />
          <Button kind="primary">Sign in</Button>
        </Form>
        <p class="hint">
          Nothing there after a minute? Check your spam folder, or{' '}
          <a href={withQuery(pagePaths.signIn, { return_to: returnTo })}>send it again</a>.
        </p>
      </section>
    ),
  };
}

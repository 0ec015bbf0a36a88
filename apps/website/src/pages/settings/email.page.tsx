import { v7 as uuidv7 } from 'uuid';
import { Button } from '../../components/controls.js';
import { panelPage } from '../../components/display.js';
import { EmailField, Form } from '../../components/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';
import { CodeField } from '../sign-in/sign-in.page.js';

const path = `${pagePaths.settings}/email`;

/** Asks for another address. The same form sent twice sends one mail. */
export function emailPage(present: string): PageView {
  return panelPage(
    'Change email address',
    <>
      <p>
        You sign in and get notifications with <strong>{present}</strong>.
      </p>
      <Form action={path} hidden={{ change_id: uuidv7() }}>
        <EmailField
          id="email"
          label="New email address"
          hint="We email it a code. Nothing changes until you enter it."
          input={{ autocomplete: 'email' }}
        />
        <Button kind="primary">Send code</Button>
      </Form>
    </>,
    { section: 'settings' },
  );
}

/** Asks for the code that was sent to the new address. */
export function emailCodePage(email: string): PageView {
  return panelPage(
    'Check your email',
    <>
      <p>
        We have sent a code to <strong>{email}</strong>. It is valid for 10 minutes.
      </p>
      <Form action={`${path}/code`} hidden={{ email }}>
        <CodeField />
        <Button kind="primary">Change email address</Button>
      </Form>
      <p class="hint">
        Your other sessions are then signed out. No email after a minute? Check your spam folder, or{' '}
        <a href={path}>send it again</a>.
      </p>
    </>,
    { section: 'settings' },
  );
}

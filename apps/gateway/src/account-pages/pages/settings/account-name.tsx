import { accountNameLengthMax } from '@app/contracts';
import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type SettingsProps } from './settings-props.js';

/** Owners change the name of their account. */
export function AccountName({ account }: Pick<SettingsProps, 'account'>) {
  return (
    <Form action={`${pagePaths.settings}/account`} class="line-form">
      <Field
        id="account-name"
        name="name"
        label="Name"
        input={{
          required: true,
          maxLength: accountNameLengthMax,
          autocomplete: 'off',
          value: account.name,
        }}
      />
      <Button>Save name</Button>
    </Form>
  );
}

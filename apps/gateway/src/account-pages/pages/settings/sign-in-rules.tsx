import { sessionHoursMax, type SignInRules } from '@app/contracts';
import { Button } from '../../components/controls/button.js';
import { Checkbox } from '../../components/controls/checkbox.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { Card } from '../../components/display/card.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { usePage } from '../../view/page-context.js';
import { type SettingsProps } from './settings-props.js';

/** In the form when it offers `provider_only`. */
export const offersProviderOnly = 'offers_provider_only';

/** What the account asks of those who sign in, and who may join it. */
export function SignInRulesCard({ rules, method, isOwner }: SettingsProps) {
  return (
    <Card title="Sign-in" id="sign-in">
      {isOwner ? <RulesForm rules={rules} method={method} /> : <RulesText rules={rules} />}
      {rules.join_domains.length > 0 && (
        <p class="hint">
          People with an address of {rules.join_domains.join(', ')} may join as members. The operator of this
          service changes this.
        </p>
      )}
    </Card>
  );
}

function RulesForm({ rules, method }: Pick<SettingsProps, 'rules' | 'method'>) {
  const { hasProvider } = usePage();
  // Who switches it on must have come this way, and whatever is on can be switched off.
  const isOffered = rules.provider_only || (hasProvider && method === 'provider');
  return (
    <Form
      action={`${pagePaths.settings}/sign-in`}
      class="stack"
      hidden={isOffered ? { [offersProviderOnly]: 'yes' } : {}}
    >
      {isOffered && (
        <Checkbox name="provider_only" isTicked={rules.provider_only}>
          Only through your company's single sign-on. Members who signed in by email lose access at once; API
          keys keep working.
        </Checkbox>
      )}
      {!isOffered && hasProvider && (
        <p class="hint">
          To let members in only through your company,{' '}
          <a href={withQuery(`${pagePaths.signIn}/provider`, { return_to: pagePaths.settings })}>
            sign in with single sign-on
          </a>{' '}
          yourself first.
        </p>
      )}
      <Field
        id="session-hours"
        name="session_hours"
        label="Ask members to sign in again after"
        hint="Hours. Leave empty for 30 days without a visit"
        input={{ type: 'number', min: 0, max: sessionHoursMax, value: rules.session_hours ?? '' }}
      />
      <div>
        <Button>Save sign-in settings</Button>
      </div>
    </Form>
  );
}

function RulesText({ rules }: { readonly rules: SignInRules }) {
  const { provider_only: isProviderOnly, session_hours: hours } = rules;
  return (
    <p>
      {isProviderOnly ? "Only through your company's single sign-on." : 'In any way that is offered.'}{' '}
      {hours !== null && `Again after ${hours === 1 ? 'an hour' : `${hours} hours`}. `}
      Owners change this.
    </p>
  );
}

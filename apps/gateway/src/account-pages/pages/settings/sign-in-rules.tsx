import { sessionHoursMax, type SignInRules } from '#contracts';
import { Button } from '../../components/controls.js';
import { Checkbox, Field, Form } from '../../components/form.js';
import { Card } from '../../components/display.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { formatCount } from '../../view/format.js';
import { usePage } from '../../view/page.js';
import { type SettingsView } from './settings-view.js';

/** In the form when it offers `provider_only`. */
export const offersProviderOnly = 'offers_provider_only';

/** How members sign in, and who may join the account. */
export function SignInRulesCard({ rules, method, isOwner }: SettingsView) {
  return (
    <Card title="Sign-in" id="sign-in">
      {isOwner ? <RulesForm rules={rules} method={method} /> : <RulesText rules={rules} />}
      {rules.join_domains.length > 0 && (
        <p class="hint">
          People with an email address at {rules.join_domains.join(', ')} can join as members. Only the
          operator of this service can change this.
        </p>
      )}
    </Card>
  );
}

function RulesForm({ rules, method }: Pick<SettingsView, 'rules' | 'method'>) {
  const { hasProvider } = usePage();
  // Only an owner who signed in through the provider can switch it on. Any owner can switch it off.
  const isOffered = rules.provider_only || (hasProvider && method === 'provider');
  return (
    <Form
      action={`${pagePaths.settings}/sign-in`}
      class="stack"
      hidden={isOffered ? { [offersProviderOnly]: 'yes' } : {}}
    >
      {isOffered && (
        <Checkbox name="provider_only" isTicked={rules.provider_only}>
          Require your company's single sign-on. Members who signed in by email lose access immediately; API
          keys keep working.
        </Checkbox>
      )}
      {!isOffered && hasProvider && (
        <p class="hint">
          To require single sign-on for members, first{' '}
          <a href={withQuery(`${pagePaths.signIn}/provider`, { return_to: pagePaths.settings })}>
            sign in with single sign-on
          </a>{' '}
          yourself.
        </p>
      )}
      <Field
        id="session-hours"
        name="session_hours"
        label="Require members to sign in again after"
        hint="Hours. Leave empty to sign out only after 30 days of inactivity"
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
      {isProviderOnly
        ? "Members sign in through your company's single sign-on."
        : 'Members sign in by any method.'}{' '}
      {hours !== null && `They sign in again after ${formatCount(hours, 'hour')}. `}
      Only owners can change this.
    </p>
  );
}

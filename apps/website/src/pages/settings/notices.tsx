import { type DeliveryView, type NoticeKind } from '#contracts';
import { v7 as uuidv7 } from 'uuid';
import { Button, Copyable } from '../../components/controls.js';
import { Action, Checkbox, Field, Form } from '../../components/form.js';
import { Badge, Card, Moment } from '../../components/display.js';
import { type Column, DataTable } from '../../components/table.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatNumber } from '../../view/format.js';
import { type SettingsView } from './settings-view.js';

const path = `${pagePaths.settings}/notices`;

/** The events an account is notified of, and the channels. A form that sends a test, sent twice, is one test. */
export function NotificationSettings({ notices, deliveries, isOwner }: SettingsView) {
  return (
    <Card title="Notifications" id="notices">
      {isOwner ? <NoticesForm notices={notices} /> : <NoticesText notices={notices} />}
      {isOwner && notices.webhook_url !== null && (
        <>
          {notices.webhook_secret !== null && (
            <Copyable id="webhook-secret" what="webhook secret" text={notices.webhook_secret} />
          )}
          <Action action={`${path}/test`} hidden={{ notice_id: uuidv7() }} verb="Send test notification" />
          <Action action={`${path}/rotate`} verb="Replace webhook secret" />
          {notices.previous_secret_until !== null && (
            <p>
              Until <Moment at={notices.previous_secret_until} />, notifications are also signed with the
              previous secret.
            </p>
          )}
        </>
      )}
      {deliveries.length > 0 && (
        <DataTable caption="Recent notifications" columns={columns} rows={deliveries} />
      )}
    </Card>
  );
}

function NoticesForm({ notices }: Pick<SettingsView, 'notices'>) {
  return (
    <Form action={path} class="stack">
      <Field
        id="threshold"
        name="balance_threshold"
        label="Notify me when the balance falls below"
        hint="In credits. Default: a tenth of your last pack. Leave empty to turn this off"
        input={{ type: 'number', min: 0, max: 1_000_000_000, value: notices.balance_threshold ?? '' }}
      />
      <fieldset>
        <legend>Also notify me about</legend>
        <Checkbox name="notify_on_expiry" isTicked={notices.notify_on_expiry}>
          credits expiring within three days
        </Checkbox>
        <Checkbox name="notify_on_payment" isTicked={notices.notify_on_payment}>
          received payments
        </Checkbox>
      </fieldset>
      <Checkbox name="notify_by_email" isTicked={notices.notify_by_email}>
        Send notifications by email to the owners
      </Checkbox>
      <Field
        id="webhook"
        name="webhook_url"
        label="Webhook URL"
        hint="HTTPS address that receives each notification. Leave empty to turn this off"
        input={{ type: 'url', maxLength: 2_000, value: notices.webhook_url ?? '', autocomplete: 'off' }}
      />
      <Button kind="primary">Save notifications</Button>
    </Form>
  );
}

function NoticesText({ notices }: Pick<SettingsView, 'notices'>) {
  const { balance_threshold: threshold } = notices;
  return (
    <p>
      {threshold === null
        ? 'Low balance notifications are off.'
        : `Owners are notified when the balance falls below ${formatNumber(threshold)} credits.`}{' '}
      Only owners can change this.
    </p>
  );
}

const kindNames: Readonly<Record<NoticeKind, string>> = {
  balance_low: 'Low balance',
  key_limit_near: 'API key near its limit',
  key_limit_reached: 'API key at its limit',
  lot_expiring: 'Credits expiring soon',
  payment_received: 'Payment received',
  test: 'Test',
  webhook_removed: 'Webhook removed',
};

const stateBadges = {
  waiting: <Badge kind="warning">Pending</Badge>,
  delivered: <Badge kind="good">Delivered</Badge>,
  given_up: <Badge kind="problem">Failed</Badge>,
} as const;

const columns: readonly Column<DeliveryView>[] = [
  { title: 'Date', cell: ({ at }) => <Moment at={at} /> },
  { title: 'Notification', cell: ({ kind }) => kindNames[kind] },
  {
    title: 'Status',
    cell: ({ channel, state, problem }) => (
      <>
        {stateBadges[state]} {channel === 'mail' ? 'by email' : 'by webhook'}
        {problem && `: ${problem}`}
      </>
    ),
  },
];

import { type DeliveryView, type NoticeKind } from '@app/contracts';
import { Button } from '../../components/controls/button.js';
import { Checkbox } from '../../components/controls/checkbox.js';
import { Copyable } from '../../components/controls/copyable.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { Badge } from '../../components/display/badge.js';
import { Card } from '../../components/display/card.js';
import { DataTable } from '../../components/display/data-table.js';
import { Moment } from '../../components/display/moment.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatNumber } from '../../view/format.js';
import { type SettingsProps } from './settings-props.js';

const path = `${pagePaths.settings}/notices`;

/** What owners are told of without looking. */
export function Notices({ notices, deliveries, isOwner, noticeId }: SettingsProps) {
  return (
    <Card title="Notices" id="notices">
      {isOwner ? <NoticesForm notices={notices} /> : <NoticesText notices={notices} />}
      {isOwner && notices.webhook_url !== null && (
        <>
          {notices.webhook_secret !== null && (
            <div>
              <p class="hint">Secret with which each call of the webhook is signed (Standard Webhooks)</p>
              <Copyable id="webhook-secret" what="secret" text={notices.webhook_secret} />
            </div>
          )}
          <Form action={`${path}/test`} hidden={{ notice_id: noticeId }}>
            <Button>Send a test to the webhook</Button>
          </Form>
        </>
      )}
      {deliveries.length > 0 && <Deliveries deliveries={deliveries} />}
    </Card>
  );
}

function NoticesForm({ notices }: Pick<SettingsProps, 'notices'>) {
  return (
    <Form action={path} class="stack">
      <Field
        id="threshold"
        name="balance_threshold"
        label="Notify me when the balance falls below"
        hint="Credits. Leave empty to turn this off"
        input={{ type: 'number', min: 0, max: 1_000_000_000, value: notices.balance_threshold ?? '' }}
      />
      <fieldset>
        <legend>Also notify me about</legend>
        <Checkbox name="is_expiry_told" isTicked={notices.is_expiry_told}>
          credits that expire within three days
        </Checkbox>
        <Checkbox name="is_payment_told" isTicked={notices.is_payment_told}>
          payments that have arrived
        </Checkbox>
      </fieldset>
      <fieldset>
        <legend>Channels</legend>
        <Checkbox name="is_mailed" isTicked={notices.is_mailed}>
          email to the owners
        </Checkbox>
      </fieldset>
      <Field
        id="webhook"
        name="webhook_url"
        label="Webhook"
        hint="An https address that receives each notice. Leave empty for none"
        input={{ type: 'url', maxLength: 2_000, value: notices.webhook_url ?? '', autocomplete: 'off' }}
      />
      <div>
        <Button kind="primary">Save notices</Button>
      </div>
    </Form>
  );
}

function NoticesText({ notices }: Pick<SettingsProps, 'notices'>) {
  const { balance_threshold: threshold } = notices;
  return (
    <p>
      {threshold === null
        ? 'No notice of a low balance.'
        : `A notice below ${formatNumber(threshold)} credits.`}{' '}
      Owners change this.
    </p>
  );
}

const kindNames: Readonly<Record<NoticeKind, string>> = {
  balance_low: 'Balance low',
  lot_expiring: 'Credits expire soon',
  payment_received: 'Payment received',
  test: 'Test',
};

const stateBadges = {
  waiting: { kind: 'warning', words: 'Waiting' },
  delivered: { kind: 'good', words: 'Delivered' },
  given_up: { kind: 'problem', words: 'Given up' },
} as const;

const columns = [{ title: 'When' }, { title: 'Notice' }, { title: 'By' }, { title: 'State' }];

function Deliveries({ deliveries }: { readonly deliveries: readonly DeliveryView[] }) {
  return (
    <DataTable caption="Last notices" columns={columns}>
      {deliveries.map((delivery) => (
        <tr key={delivery.id}>
          <td>
            <Moment at={delivery.at} />
          </td>
          <td>{kindNames[delivery.kind]}</td>
          <td>{delivery.channel === 'mail' ? 'Email' : 'Webhook'}</td>
          <td class="wraps">
            <Badge kind={stateBadges[delivery.state].kind}>{stateBadges[delivery.state].words}</Badge>{' '}
            {delivery.problem}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

import { NoticeSetting } from './notice-setting.entity.js';
import {
  changedSetting,
  deliveredForMs,
  nextAttemptAt,
  type SettingChange,
  withNewSecret,
  withoutWebhook,
  withPack,
} from './notice-rules.js';

const stored: NoticeSetting = {
  ...new NoticeSetting(),
  accountId: 'account',
  balanceThreshold: 100,
  isThresholdChosen: true,
  notifyOnPayment: false,
  webhookUrl: 'https://hooks.example/',
  webhookSecret: 'whsec_old',
  previousWebhookSecret: 'whsec_older',
  previousSecretUntil: new Date('2026-03-02T12:00:00Z'),
  isBalanceLow: true,
  balanceCheckedAt: new Date('2026-03-01T12:00:00Z'),
};

const none = {
  webhookUrl: null,
  webhookSecret: null,
  previousWebhookSecret: null,
  previousSecretUntil: null,
};

describe('changed settings', () => {
  const withoutThreshold = { ...stored, balanceThreshold: null, isBalanceLow: false };
  const checkedAnew = { isBalanceLow: false, balanceCheckedAt: new Date(0) };
  const chosen = { ...checkedAnew, isThresholdChosen: true };
  const ofPack = { ...stored, isThresholdChosen: false };
  const same = {
    balance_threshold: 100,
    notify_on_expiry: true,
    notify_on_payment: false,
    notify_by_email: true,
  };
  const other = 'https://other.example/';

  it.each<[string, Partial<SettingChange>, Partial<NoticeSetting>, NoticeSetting]>([
    ['nothing', {}, {}, stored],
    ['everything as it was', { ...same, webhookUrl: 'https://hooks.example/' }, {}, stored],
    ['another threshold', { balance_threshold: 101 }, { balanceThreshold: 101, ...chosen }, ofPack],
    ['no threshold', { balance_threshold: 0 }, { balanceThreshold: null, ...chosen }, ofPack],
    ['the threshold as it was', { balance_threshold: 100 }, {}, ofPack],
    ['no threshold again', { balance_threshold: 0 }, {}, withoutThreshold],
    ['another webhook keeps the secret', { webhookUrl: other }, { webhookUrl: other }, stored],
    ['no webhook', { webhookUrl: null }, none, stored],
    ['nothing without a webhook', {}, {}, { ...stored, ...none }],
    [
      'a first webhook',
      { webhookUrl: other },
      { webhookUrl: other, webhookSecret: 'new' },
      { ...stored, ...none },
    ],
  ])('%s', (_name, change, expected, before) => {
    const changed = changedSetting(before, { webhookUrl: undefined, ...change }, () => 'new');
    expect(changed).toEqual({ ...before, ...expected });
  });
});

it.each<[string, Partial<NoticeSetting>, number | null, boolean]>([
  ['is a tenth of the pack, not checked yet', { isThresholdChosen: false }, 51, false],
  ['stays, with its check, if it is the same', { isThresholdChosen: false, balanceThreshold: 51 }, 51, true],
  ['stays as an owner has chosen', {}, 100, true],
  ['stays none as an owner has chosen', { balanceThreshold: null }, null, true],
])('with a pack the threshold %s', (_what, before, balanceThreshold, isBalanceLow) => {
  expect(withPack({ ...stored, ...before }, 501)).toMatchObject({ balanceThreshold, isBalanceLow });
});

it('after a new secret the previous one signs for a day; without a webhook there is none', () => {
  const now = new Date('2026-03-05T00:00:00Z');
  const previousSecretUntil = new Date('2026-03-06T00:00:00Z');
  const replaced = { webhookSecret: 'new', previousWebhookSecret: 'whsec_old', previousSecretUntil };
  expect(withNewSecret(stored, now, () => 'new')).toEqual({ ...stored, ...replaced });
  expect(withoutWebhook(stored)).toEqual({ ...stored, ...none });
  expect(withNewSecret(withoutWebhook(stored), now, () => 'new')).toEqual({ ...stored, ...none });
});

describe('attempts to deliver', () => {
  const createdAt = new Date(Date.UTC(2026, 0, 1));

  it('come soon at first, then less and less often, for three days', () => {
    const delays: number[] = [];
    let now: Date | null = createdAt;
    for (let attempts = 1; now !== null; attempts += 1) {
      const next = nextAttemptAt({ attempts, createdAt, now });
      if (next) delays.push((next.getTime() - now.getTime()) / 1_000);
      now = next;
    }
    const seconds = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, ...Array<number>(5).fill(43_200)];
    expect(delays).toEqual(seconds);
  });

  it('are made until the notice is three days old, to the millisecond', () => {
    // The next attempt is twelve hours later.
    const lastFailure = createdAt.getTime() + deliveredForMs - 12 * 3_600_000;
    const after = (ms: number) => nextAttemptAt({ attempts: 12, createdAt, now: new Date(ms) });
    expect(after(lastFailure)).toEqual(new Date(createdAt.getTime() + deliveredForMs));
    expect(after(lastFailure + 1)).toBeNull();
  });
});

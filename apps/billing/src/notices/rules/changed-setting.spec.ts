import { type NoticeSetting } from '../notice-setting.entity.js';
import { changedSetting, type SettingChange } from './changed-setting.js';

const checkedAt = new Date('2026-03-01T12:00:00Z');
const stored: NoticeSetting = {
  accountId: 'account',
  balanceThreshold: 100,
  isExpiryTold: true,
  isPaymentTold: false,
  isMailed: true,
  webhookUrl: 'https://hooks.example/',
  webhookSecret: 'whsec_old',
  webhookChecks: 2,
  webhookChecksFrom: null,
  isBalanceLow: true,
  balanceCheckedAt: checkedAt,
};
const change = (request: Partial<SettingChange>, before = stored): NoticeSetting =>
  changedSetting(before, { webhookUrl: undefined, ...request }, () => 'whsec_new');

it('keeps what is not named, and what is named as it was', () => {
  expect(change({})).toEqual(stored);
  const same = { balance_threshold: 100, is_expiry_told: true, is_payment_told: false, is_mailed: true };
  expect(change({ ...same, webhookUrl: 'https://hooks.example/' })).toEqual(stored);
});

it('turns each on and off by itself', () => {
  expect(change({ is_expiry_told: false })).toEqual({ ...stored, isExpiryTold: false });
  expect(change({ is_payment_told: true })).toEqual({ ...stored, isPaymentTold: true });
  expect(change({ is_mailed: false })).toEqual({ ...stored, isMailed: false });
});

it('looks at once at the balance of another threshold, and never without one', () => {
  const anew = { isBalanceLow: false, balanceCheckedAt: new Date(0) };
  expect(change({ balance_threshold: 101 })).toEqual({ ...stored, balanceThreshold: 101, ...anew });
  expect(change({ balance_threshold: 0 })).toEqual({ ...stored, balanceThreshold: null, ...anew });
  const none = { ...stored, balanceThreshold: null, isBalanceLow: false };
  expect(change({ balance_threshold: 0 }, none)).toEqual(none);
});

it('gives a webhook a secret, which stays while there is one', () => {
  expect(change({ webhookUrl: 'https://other.example/' })).toEqual({
    ...stored,
    webhookUrl: 'https://other.example/',
  });
  const none = { ...stored, webhookUrl: null, webhookSecret: null };
  expect(change({ webhookUrl: null })).toEqual(none);
  expect(change({}, none)).toEqual(none);
  expect(change({ webhookUrl: 'https://hooks.example/' }, none)).toEqual({
    ...stored,
    webhookSecret: 'whsec_new',
  });
});

import { type LotOrigin } from '#contracts';

const whole = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});

/** An integer with thousands separators, as in `2,431`. */
export function formatNumber(value: number): string {
  return whole.format(value);
}

/** A number with the words that fit it, as in `1 credit` and `2,431 credits`. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${Math.abs(count) === 1 ? singular : plural}`;
}

/** A change of a balance: `+50`, `−3` with a minus sign. */
export function formatChange(credits: number): string {
  return credits < 0 ? `−${formatNumber(-credits)}` : `+${formatNumber(credits)}`;
}

/** US cents as dollars, without cents where there are none. */
export function formatPrice(cents: number): string {
  return dollars.format(cents / 100);
}

/** Names of the lots of an account. */
export const lotNames: Readonly<Record<LotOrigin, string>> = {
  trial: 'Trial',
  builder: 'Builder',
  scale: 'Scale',
  enterprise: 'Enterprise',
  adjustment: 'Goodwill',
};

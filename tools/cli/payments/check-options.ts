import { readFileSync } from 'node:fs';
import { type PriceOptions } from '#checkout';
import { CliError } from '../errors.js';
import { type CliIo } from '../session.js';

export const stepNames = [
  'permissions',
  'account',
  'webhook',
  'buy',
  'tax',
  'invoice',
  'refund',
  'dispute',
  'delayed',
] as const;
export type StepName = (typeof stepNames)[number];

/** Options of the command. */
export interface CheckFlags {
  /** Default: all but `delayed`. */
  readonly only?: StepName;
  readonly delayed?: boolean;
  readonly record?: string;
  /** Seconds. */
  readonly timeout: number;
}

/** Which account is checked, as billing would use it. */
export interface CheckOptions extends Required<PriceOptions> {
  readonly secretKey: string;
  /** An invoice is made for each order. */
  readonly invoices: boolean;
  /** A stand-in for the API; empty: Stripe itself. */
  readonly apiUrl: string;
  /** Where customers reach this service; `null`: not known. */
  readonly publicUrl: string | null;
}

/** Reads the variables that billing reads. Throws `CliError` without a key of Stripe's test mode: the check pays and refunds. */
export function readCheckOptions({ environment }: Pick<CliIo, 'environment'>): CheckOptions {
  const secretKey = readKey(environment);
  if (/^[a-z]+_live_/.test(secretKey)) {
    throw new CliError(
      'STRIPE_SECRET_KEY is a live key. This check pays, refunds and disputes: use a sandbox key (sk_test_ or rk_test_).',
    );
  }
  if (!/^(sk|rk)_test_/.test(secretKey)) {
    throw new CliError('STRIPE_SECRET_KEY must start with sk_test_ or rk_test_.');
  }
  return {
    secretKey,
    apiUrl: urlOf('STRIPE_API_URL', environment) ?? '',
    publicUrl: urlOf('PUBLIC_URL', environment),
    automaticTax: isOn('STRIPE_AUTOMATIC_TAX', environment),
    promotionCodes: isOn('STRIPE_PROMOTION_CODES', environment),
    invoices: isOn('STRIPE_INVOICES', environment),
  };
}

function readKey({ STRIPE_SECRET_KEY: key, STRIPE_SECRET_KEY_FILE: file }: CliIo['environment']): string {
  if (key?.trim()) return key.trim();
  if (!file) {
    throw new CliError(
      'Set STRIPE_SECRET_KEY, or STRIPE_SECRET_KEY_FILE to its path: a key of a sandbox of the Stripe account (sk_test_ or rk_test_).',
    );
  }
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CliError(
      `STRIPE_SECRET_KEY_FILE can't be read: ${error instanceof Error ? error.message : file}`,
    );
  }
}

function isOn(name: string, environment: CliIo['environment']): boolean {
  const value = environment[name] || 'off';
  if (value === 'on' || value === 'off') return value === 'on';
  throw new CliError(`${name} must be on or off.`);
}

function urlOf(name: string, environment: CliIo['environment']): string | null {
  const url = environment[name] ?? '';
  if (url === '') return null;
  if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return url;
  throw new CliError(`${name} is not a URL that starts with http:// or https://.`);
}

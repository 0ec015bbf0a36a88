import { readFileSync } from 'node:fs';
import { CliError } from '../errors.js';
import { type CliIo } from '../session.js';
import { type CheckedAccount } from './check.js';

type Environment = CliIo['environment'];

/** The account of billing's variables. Throws `CliError` unless the key is one of a sandbox: a check leaves objects at Stripe. */
export async function openAccount(environment: Environment): Promise<CheckedAccount> {
  const { STRIPE_API_URL: apiUrl, STRIPE_SECRET_KEY_FILE: file, PUBLIC_URL: publicUrl } = environment;
  const key = (environment.STRIPE_SECRET_KEY || (file ? readFileSync(file, 'utf8') : '')).trim();
  if (!/^(sk|rk)_test_/.test(key)) {
    throw new CliError('STRIPE_SECRET_KEY, or its file, must be a key of a sandbox: sk_test_ or rk_test_.');
  }
  // Other commands need not wait for the library.
  const { default: Library } = await import('stripe');
  const standIn = apiUrl ? new URL(apiUrl) : null;
  const api = new Library(key, {
    telemetry: false,
    ...(standIn && { host: standIn.hostname, port: standIn.port, protocol: 'http' }),
  });
  const isOn = (name: string) => environment[name] === 'on';
  return {
    api,
    publicUrl: publicUrl || null,
    automaticTax: isOn('STRIPE_AUTOMATIC_TAX'),
    promotionCodes: isOn('STRIPE_PROMOTION_CODES'),
    invoices: isOn('STRIPE_INVOICES'),
  };
}

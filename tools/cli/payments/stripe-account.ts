import { isRecord } from '#contracts';
import type Stripe from 'stripe';
import { CliError } from '../errors.js';
import { withoutSecrets } from './blank.js';
import { type CheckOptions } from './check-options.js';
import { neededRight } from './key-rights.js';
import { type Recorder } from './recorder.js';

/** Stripe's answer to one request. */
export type Answer<Body> =
  | { readonly kind: 'object'; readonly object: Body }
  /** The key has not the right; `right`: which, as the Dashboard calls it. */
  | { readonly kind: 'denied'; readonly right: string }
  | { readonly kind: 'refused'; readonly code: string | null; readonly message: string };

const timeoutMs = 15_000;

/** The Stripe account that is checked. Everything it answers is recorded, if there is a recorder. */
export class StripeAccount {
  private constructor(
    readonly api: Stripe,
    private readonly recorder: Recorder | null,
  ) {}

  /** Loads the library, which takes a moment that other commands need not wait. */
  static async open(
    { secretKey, apiUrl }: Pick<CheckOptions, 'secretKey' | 'apiUrl'>,
    recorder: Recorder | null,
  ): Promise<StripeAccount> {
    const { default: Library } = await import('stripe');
    const url = apiUrl === '' ? null : new URL(apiUrl);
    const api = new Library(secretKey, {
      timeout: timeoutMs,
      maxNetworkRetries: 2,
      telemetry: false,
      ...(url && {
        host: url.hostname,
        port: url.port,
        protocol: url.protocol === 'http:' ? 'http' : 'https',
      }),
    });
    return new StripeAccount(api, recorder);
  }

  /** Runs a request; `name` is that of its record. Throws `CliError` when Stripe can't be reached, fails, or does not know the key: that says nothing of the account. */
  async callStripe<Body extends object>(name: string, request: () => Promise<Body>): Promise<Answer<Body>> {
    try {
      const object = await request();
      this.recorder?.write(name, object);
      return { kind: 'object', object };
    } catch (error) {
      const answer = answerOf(error);
      this.recorder?.write(`${name}.refused`, isRecord(error) ? (error.raw ?? answer) : answer);
      return answer;
    }
  }
}

/** The library's errors have their class in `type`. */
function answerOf(error: unknown): Answer<never> {
  if (!isRecord(error) || typeof error.type !== 'string') throw error;
  const message = withoutSecrets(String(error.message));
  switch (error.type) {
    case 'StripePermissionError':
      return { kind: 'denied', right: neededRight(message) };
    case 'StripeAuthenticationError':
      throw new CliError(`Stripe does not accept STRIPE_SECRET_KEY: ${message}`);
    case 'StripeAPIError':
    case 'StripeRateLimitError':
      throw new CliError(`Stripe is unavailable; run the check again later: ${message}`);
    case 'StripeConnectionError':
      throw new CliError(`Stripe can't be reached: ${message}`);
    default:
      return { kind: 'refused', code: typeof error.code === 'string' ? error.code : null, message };
  }
}

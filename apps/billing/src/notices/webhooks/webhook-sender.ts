import { type LookupAddress } from 'node:dns';
import { request, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { isPublicAddress } from './public-address.js';
import {
  type AddressRule,
  GoneWebhookError,
  lookupOf,
  parseWebhookUrl,
  privateAddress,
  type Resolve,
  resolveByDns,
  UnreachableWebhookError,
} from './webhook-target.js';

/** From the look-up of the host to the status of the response. */
const answerMs = 10_000;
/** For the look-up while a form is being saved. */
const checkMs = 4_000;

/** What is sent to a webhook. */
export interface WebhookMessage {
  readonly url: string;
  /** `whsec_...`; each signs the message. */
  readonly secrets: readonly string[];
  /** Id of the message, equal in every attempt, so that a receiver recognizes a repeated one. */
  readonly id: string;
  readonly body: string;
}

export interface WebhookOptions {
  readonly resolve: Resolve;
  readonly isAllowed: AddressRule;
  /** Certificates that are trusted in place of the usual ones. */
  readonly ca: string | undefined;
  readonly timeoutMs: number;
}

/** Sends signed messages to webhooks (Standard Webhooks), to public addresses over https only, and follows no redirect. */
export class WebhookSender {
  private readonly options: WebhookOptions;

  constructor(options: Partial<WebhookOptions> = {}) {
    const defaults = { resolve: resolveByDns(), isAllowed: isPublicAddress, timeoutMs: answerMs };
    this.options = { ca: undefined, ...defaults, ...options };
  }

  /** Throws `UnreachableWebhookError` for a URL that messages would not be sent to now. */
  async check(text: string): Promise<URL> {
    const url = parseWebhookUrl(text);
    await this.addressesOf(url, AbortSignal.timeout(checkMs));
    return url;
  }

  /** Resolves once the receiver has responded with a 2xx. Throws `UnreachableWebhookError`; `GoneWebhookError` for a 410. */
  async send({ url: text, secrets, id, body }: WebhookMessage): Promise<void> {
    const url = parseWebhookUrl(text);
    const signal = AbortSignal.timeout(this.options.timeoutMs);
    const addresses = await this.addressesOf(url, signal);
    const now = new Date();
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'creator-search-webhooks',
      'webhook-id': id,
      'webhook-timestamp': Math.floor(now.getTime() / 1_000),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
    };
    const status = await this.post(url, body, { headers, lookup: lookupOf(addresses) }, signal);
    if (status >= 200 && status < 300) return;
    if (status === 410) throw new GoneWebhookError('The webhook answered 410, and was removed.');
    const redirects = status >= 300 && status < 400 ? '; redirects are not followed' : '';
    throw new UnreachableWebhookError(`The webhook answered ${status}${redirects}.`);
  }

  /**
   * The addresses of a webhook's host. Throws `UnreachableWebhookError` when there is none, and when any of them is not allowed: a
   * name with one address inside our network is an attempt to reach it.
   */
  private async addressesOf({ hostname }: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const { resolve, isAllowed } = this.options;
    const address = hostname.replace(/^\[(.*)\]$/, '$1');
    const family = isIP(address);
    const notFound = (cause: unknown): never => {
      throw new UnreachableWebhookError('The host of the webhook was not found.', { cause });
    };
    const addresses = family === 0 ? await resolve(hostname, signal).catch(notFound) : [{ address, family }];
    if (addresses.length === 0) throw new UnreachableWebhookError('The host of the webhook has no address.');
    if (!addresses.every((each) => isAllowed(each.address))) throw privateAddress();
    return addresses;
  }

  /** The status of the response; its body is not read. */
  private post(url: URL, body: string, rest: RequestOptions, signal: AbortSignal): Promise<number> {
    const { ca, timeoutMs } = this.options;
    return new Promise((answered, failed) => {
      const options = { ...rest, method: 'POST', agent: false, signal, ca };
      const sent = request(url, options, (response) => {
        answered(response.statusCode ?? 0);
        response.destroy();
      });
      const tooSlow = `The webhook did not answer within ${timeoutMs / 1_000} seconds.`;
      sent.on('error', (error) =>
        failed(signal.aborted ? new UnreachableWebhookError(tooSlow) : explain(error)),
      );
      sent.end(body);
    });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The webhook refused the connection.',
  ECONNRESET: 'The webhook closed the connection.',
  EHOSTUNREACH: 'The host of the webhook cannot be reached.',
  ENETUNREACH: 'The host of the webhook cannot be reached.',
};

/** The owner of the webhook reads this, so it reveals nothing about our network. */
function explain(error: Error): UnreachableWebhookError {
  if (error instanceof UnreachableWebhookError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isCertificate = /CERT|SIGNATURE|SSL|TLS/.test(code);
  const reason = isCertificate ? `The certificate of the webhook is not valid (${code}).` : reasons[code];
  return new UnreachableWebhookError(reason ?? 'The connection to the webhook failed.', { cause: error });
}

import { eventually, type ListedMail } from '#testing';
import { environment } from './environment.js';

const arrivalMs = 20_000;

/** Declares tests that need what the private stack has beside it: a stand-in for Stripe, and its mails. */
export const describeSelling: jest.Describe = environment.paymentsUrl ? describe : describe.skip;

/** The newest mail to this address whose subject begins so, once there is one. */
export async function mailTo(address: string, subject = ''): Promise<ListedMail> {
  return eventually(async () => {
    const url = `${environment.mailsUrl}/?to=${encodeURIComponent(address)}`;
    const all = (await (await fetch(url)).json()) as ListedMail[];
    const mails = all.filter((mail) => mail.subject.startsWith(subject));
    const newest = mails.at(-1);
    if (!newest) throw new Error(`no mail "${subject}" to ${address}`);
    return newest;
  }, arrivalMs);
}

/** The sign-in link in a mail, as a path of the account pages. */
export function linkIn({ text }: ListedMail): string {
  const [link] = /https?:\/\/\S+\/account\/sign-in\/link\?token=[\w-]+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`no link in: ${text}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** The code in the same mail, as it is shown. */
export function codeIn({ text }: ListedMail): string {
  const [code] = /\b[0-9]{3} [0-9]{3}\b/.exec(text) ?? [];
  if (code === undefined) throw new Error(`no code in: ${text}`);
  return code;
}

interface Session {
  readonly payment_intent: string | null;
}

/** Buyers, banks and the shop's own staff. */
export const payments = {
  /** Pays on the page that a redirect has led to, with a card; returns the id of the payment. */
  async pay(checkoutUrl: string): Promise<string | null> {
    const path = `/sessions/${sessionAt(checkoutUrl)}/pay`;
    return (await control<Session>(path, { method: 'card' })).payment_intent;
  },

  /** Gives so many cents back. */
  async refund(paymentId: string | null, cents: number): Promise<void> {
    await control(`/payments/${paymentId}/refund`, { amount: cents });
  },
};

/** The session of the page on which it is paid. */
function sessionAt(checkoutUrl: string): string {
  const [, id] = /\/c\/pay\/(\w+)$/.exec(checkoutUrl) ?? [];
  if (id === undefined) throw new Error(`not a page to pay on: ${checkoutUrl}`);
  return id;
}

async function control<Answer>(path: string, body: object): Promise<Answer> {
  const response = await fetch(`${environment.paymentsUrl}/_controls${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Answer;
}

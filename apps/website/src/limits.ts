import { type RateLimit } from '#contracts';
import { kibibyte, limitsOf, type LimitTable, mebibyte } from '#http';

const per = (calls: number, seconds: number): RateLimit => ({ calls, seconds });

/**
 * Every limit of the website that is not a setting: its value, what it counts, and what it is for. docs/security.md has this
 * table (`tools/docs/pages.spec.ts` compares).
 */
export const limitTable = {
  connections: [10_000, 'open connections', 'floods'],
  connectionsOfNetwork: [1_000, 'open connections, per IPv4 address or /64', 'floods'],
  requestsInWork: [1_000, 'requests in work at once', 'floods: the queue of billing is shared'],
  pages: [
    per(6_000, 60),
    'pages without a session that is known, per IPv4 address or /64',
    'floods, made-up sessions',
  ],
  requestMs: [10_000, 'ms until a request has arrived', 'slow senders'],
  silenceMs: [30_000, 'ms without a byte until a connection is closed', 'slow readers'],
  form: [16 * kibibyte, 'bytes of a form', 'five times the longest form'],
  paymentEvent: [mebibyte, 'bytes of a payment event', 'a dispute with its evidence fits'],
  paymentEvents: [128, 'payment events at once', 'bodies that are held back'],
  paymentEventsOfNetwork: [48, 'payment events at once, per IPv4 address or /64', 'a burst of 40 fits'],
  signInMails: [per(30, 900), 'sign-in mails asked for, per network', 'floods of mail'],
  signInCodes: [per(60, 900), 'wrong links and codes, per network', 'guessing'],
  providerSignIns: [
    per(300, 900),
    'abandoned sign-ins by a provider, per network',
    'requests to the provider',
  ],
  providerCallbacks: [
    per(200, 900),
    'failed sign-ins by a provider, per network',
    'requests to the provider',
  ],
  creatorPagesAMinute: [per(10, 60), 'pages of creators, per network', 'reading without paying'],
  creatorPagesADay: [per(200, 86_400), 'pages of creators, per network', 'reading without paying'],
} as const satisfies LimitTable;

/** The values of the table. */
export const limits = limitsOf(limitTable);

/** Factors of the limits per network: for an IPv4 address or a /64, for a /56 and for a /48, which many people may share. */
export const siteTimes = [1, 4, 16] as const;

import { relative } from 'node:path';
import { serviceNames, type Stack } from '#local-stack';
import { cliLine } from './options.js';

type RunningStack = Pick<Stack, 'publicUrl' | 'adminUrl' | 'internalUrls' | 'logDirectory'>;

interface Launched {
  readonly dataDirectory: string;
  /** The key of the demo account; `null` when there is none. */
  readonly demoKey: string | null;
  /** Signs the demo account in, for an hour; `null` without account pages. */
  readonly signInUrl: string | null;
  /** The pages of the stand-in for Stripe; `null` without one. */
  readonly standInUrl: string | null;
  /** Where mails can be read; `null` with the user's own mail server. */
  readonly mailboxUrl: string | null;
  /** Duration of the start. */
  readonly elapsed: string;
}

/** Printed when everything is ready: a working call and all addresses. */
export function summaryOf(
  stack: RunningStack,
  { dataDirectory, demoKey, signInUrl, standInUrl, mailboxUrl, elapsed }: Launched,
): string {
  const { publicUrl, adminUrl, internalUrls, logDirectory } = stack;
  const head = `Ready after ${elapsed}.`;
  return [
    '',
    ...(demoKey === null ? [head] : [`${head} Try it:`, '', trialLine(publicUrl, demoKey)]),
    '',
    `  public API   ${publicUrl}`,
    ...(process.env.API_REFERENCE === 'off' ? [] : [`  reference    ${publicUrl}/docs`]),
    ...(signInUrl === null ? [] : [`  account      ${signInUrl}`]),
    ...(standInUrl === null
      ? []
      : [`  payments     ${standInUrl}   (a stand-in for Stripe: test cards only, no money)`]),
    ...(mailboxUrl === null ? [] : [`  mail         ${mailboxUrl}   (all mail of this stack; none is sent)`]),
    `  admin API    ${adminUrl}   (${cliLine(dataDirectory)} --help)`,
    ...serviceNames.map((name) => `  ${name.padEnd(12)} ${internalUrls[name].join(' ')}`),
    `               (/health/ready, /health/live, /metrics)`,
    `  logs         ${shorten(logDirectory)}`,
    '',
  ].join('\n');
}

/** The first call of a new user. */
export function trialLine(publicUrl: string, key: string): string {
  return `curl -H 'Authorization: Bearer ${key}' '${publicUrl}/api/public/v1/search?limit=1'`;
}

function shorten(path: string): string {
  const fromHere = relative('.', path);
  return fromHere.startsWith('..') ? path : fromHere;
}

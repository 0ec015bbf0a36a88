import { relative } from 'node:path';
import { serviceNames, type Stack } from '@app/local-stack';
import { cliLine } from './command-lines.js';

type RunningStack = Pick<Stack, 'publicUrl' | 'adminUrl' | 'internalUrls' | 'logDirectory'>;

interface Launched {
  readonly dataDirectory: string;
  /** The key of the demo account; `null` when there is none. */
  readonly demoKey: string | null;
  /** Signs the demo account in, for an hour; `null` without account pages. */
  readonly signInUrl: string | null;
  /** Where the payments are that nobody made with money; `null` without a stand-in for Stripe. */
  readonly standInUrl: string | null;
  /** Where mails can be read; `null` with a mail server of the user's. */
  readonly mailboxUrl: string | null;
  /** How long the start took, for people. */
  readonly elapsed: string;
}

/** What a launcher prints when everything is ready: a working call, and where everything is. */
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
      : [`  payments     ${standInUrl}   (a stand-in for Stripe: test cards alone, no money)`]),
    ...(mailboxUrl === null
      ? []
      : [`  mails        ${mailboxUrl}   (all mails of this stack: none is sent)`]),
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

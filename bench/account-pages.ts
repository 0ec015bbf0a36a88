import { writeFileSync } from 'node:fs';
import { Stack } from '@app/local-stack';
import { PageReader } from './account-pages/page-reader.js';
import { signInToPastAccount } from './account-pages/past-account.js';
import { readOptions } from './read-options.js';
import { percentile } from './percentile.js';

/**
 * The account pages of an account with a year of calls: how large each is, and how long its answer takes over one connection,
 * from HTTP through billing's database and back, with one of each service on this machine.
 */
const given = readOptions('pages', {
  requests: { type: 'string', default: '200' },
  json: { type: 'string' },
});
const requests = Number(given.requests);
/** Code that runs for the first time runs several times slower. */
const warmUpRequests = 30;

const day = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const pages: Readonly<Record<string, string>> = {
  Overview: '/account',
  'API keys': '/account/keys',
  'Buy credits': '/account/buy',
  'Usage, 30 days': '/account/usage',
  'Usage, 90 days by key': '/account/usage?days=90&by=key',
  'Usage, 365 days': `/account/usage?from=${day(364)}&to=${day(0)}`,
  Statement: '/account/statement',
  Settings: '/account/settings',
  'Sign in': '/account/sign-in',
};

interface Measured {
  readonly page: string;
  readonly bytes: number;
  readonly compressedBytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function main(): Promise<void> {
  const stack: Stack = new Stack({ environmentOf: () => Promise.resolve({ PUBLIC_URL: stack.publicUrl }) });
  await stack.start();
  try {
    const reader = new PageReader(stack.publicUrl, await signInToPastAccount(stack));
    print(line('page', 'HTML', 'as br', 'p50 ms', 'p99 ms'));
    const measured: Measured[] = [];
    for (const [page, path] of Object.entries(pages)) measured.push(shown(await measure(reader, page, path)));
    const files = await filesOf(reader);
    const inAll = Math.max(...measured.map(({ compressedBytes }) => compressedBytes)) + files.compressedBytes;
    print(line('its files', files.bytes, files.compressedBytes, '', ''));
    print(`The largest page with all its files is ${inAll} bytes on its way to a new visitor.`);
    reader.close();
    if (given.json) writeFileSync(given.json, `${JSON.stringify({ requests, measured, files }, null, 2)}\n`);
  } finally {
    await stack.stop();
  }
}

async function measure(reader: PageReader, page: string, path: string): Promise<Measured> {
  for (let count = 0; count < warmUpRequests; count += 1) await reader.get(path, 'br');
  const times: number[] = [];
  for (let count = 0; count < requests; count += 1) {
    const { status, tookMs } = await reader.get(path, 'br');
    if (status !== 200) throw new Error(`${path}: ${status}`);
    times.push(tookMs);
  }
  const [plain, compressed] = [await reader.get(path), await reader.get(path, 'br')];
  return {
    page,
    bytes: plain.bytes.length,
    compressedBytes: compressed.bytes.length,
    p50Ms: rounded(percentile(times, 0.5)),
    p99Ms: rounded(percentile(times, 0.99)),
  };
}

/** The style, the script and the icon, which a browser loads once. */
async function filesOf(reader: PageReader): Promise<Pick<Measured, 'bytes' | 'compressedBytes'>> {
  const html = (await reader.get('/account')).bytes.toString();
  const paths = [...new Set([...html.matchAll(/"(\/account\/files\/[^"]+)"/g)].map(([, path = '']) => path))];
  let [bytes, compressedBytes] = [0, 0];
  for (const path of paths) {
    bytes += (await reader.get(path)).bytes.length;
    compressedBytes += (await reader.get(path, 'br')).bytes.length;
  }
  return { bytes, compressedBytes };
}

function shown(measured: Measured): Measured {
  const { page, bytes, compressedBytes, p50Ms, p99Ms } = measured;
  print(line(page, bytes, compressedBytes, p50Ms, p99Ms));
  return measured;
}

function line(page: string, ...values: readonly (string | number)[]): string {
  return page.padEnd(24) + values.map((value) => String(value).padStart(10)).join('');
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main();

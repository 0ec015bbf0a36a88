import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { foldEmail } from '#contracts';
import { integer, messageOf, productName, urlWith } from '#platform';
import { EnvError, makeValidator, str } from 'envalid';
import { type TlsFiles } from './listening.js';

/** An email address to which people write. */
export const emailAddress = makeValidator<string>((input) => {
  if (foldEmail(input) === null) throw new EnvError('must be an email address');
  return input;
});

/** An http or https origin, without a path; a slash at the end is dropped. */
export const origin = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  const isOrigin = url && ['http:', 'https:'].includes(url.protocol) && `${url.origin}/` === url.href;
  if (isOrigin) return url.origin;
  throw new EnvError('must be an origin without a path, for example https://api.example');
});

const networks = ['loopback', 'linklocal', 'uniquelocal'];

/** How many proxies are in front of a process, or their addresses and networks; `false`: none. */
const trustedProxies = makeValidator<number | string[] | false>((input) => {
  if (input === '') return false;
  if (/^\d$/.test(input)) return Number(input);
  const proxies = input.split(',').map((proxy) => proxy.trim());
  if (proxies.every((proxy) => networks.includes(proxy) || isNetwork(proxy))) return proxies;
  throw new EnvError(
    `must be a number of proxies or their addresses or networks (10.0.0.0/8, ${networks.join(', ')}), separated by commas`,
  );
});

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

export const port = integer({ min: 0, max: 65_535 });
const deadlineMs = integer({ min: 100, max: 25_000 });

/** An address of a page. */
export const pageUrl = urlWith('https:', 'http:');

/** What every page says of the service, and at its foot of who runs it. Each is shown where it is set. */
export const footerSettings = {
  PRODUCT_NAME: productName,
  COMPANY: str({
    default: undefined,
    desc: 'who runs the service, as in a contract, for example `Example Ltd, 1 Main Street, London`: at the foot of every page',
  }),
  TERMS_URL: pageUrl({ default: undefined, desc: 'page with the terms of service' }),
  PRIVACY_URL: pageUrl({ default: undefined, desc: 'page with the privacy notice' }),
  STATUS_URL: pageUrl({ default: undefined, desc: 'page that says whether the service works' }),
  SUPPORT_EMAIL: emailAddress({ default: undefined, desc: 'address to which customers and creators write' }),
};

/** Variables of every process that people or programs reach from outside. */
export const edgeSettings = {
  REQUEST_DEADLINE_MS: deadlineMs({
    default: 5_000,
    desc: 'deadline of a request, ms: beyond it the answer is a 503 that costs nothing; must be less than the pending time-out of charges',
  }),
  DRAIN_MS: integer({ min: 0, max: 300_000 })({
    default: 1_000,
    desc: 'how long requests are still accepted after SIGTERM, each closing its connection, before the ports are closed, ms',
  }),
  COMPRESS_ANSWERS: str({
    choices: ['true', 'false'],
    default: 'true',
    desc: 'compress answers of 2 kB and more for clients that accept gzip or br; `false` where a proxy does it',
  }),
  TRUST_PROXY: trustedProxies({
    default: false,
    desc: 'proxies whose X-Forwarded-For is trusted: their number, or their addresses or networks, separated by commas; empty: none',
  }),
  TLS_CERT_FILE: str({
    default: undefined,
    desc: 'file with the certificate chain (PEM); when set, the port for customers serves HTTPS',
  }),
  TLS_KEY_FILE: str({ default: undefined, desc: 'file with the private key of TLS_CERT_FILE (PEM)' }),
};

type Problems = Record<string, string>;

const everyAddress = new Set(['0.0.0.0', '::']);

/** A server of a process; a port of 0 or `undefined` is any free one, or none of its own. */
interface Listening {
  /** The variable with its port. */
  readonly name: string;
  readonly port: number | undefined;
  readonly host: string | undefined;
}

/** No two servers of a process may share an address and port. */
export function sharedPorts(servers: readonly Listening[]): Problems {
  const problems: Problems = {};
  for (const [index, { name, port, host = '' }] of servers.entries()) {
    const other = servers
      .slice(0, index)
      .find((earlier) => earlier.port === port && overlap(earlier.host ?? '', host));
    if (port && other) problems[name] = `must differ from ${other.name} (${port})`;
  }
  return problems;
}

function overlap(one: string, other: string): boolean {
  return one === other || everyAddress.has(one) || everyAddress.has(other);
}

/** A certificate and its key are both set or both unset, are readable, and match. */
export function tlsProblems(config: TlsFiles): Problems {
  const names = ['TLS_CERT_FILE', 'TLS_KEY_FILE'] as const;
  const missing = names.filter((name) => config[name] === undefined);
  if (missing.length === 2) return {};
  const problems: Problems = {};
  for (const name of missing) {
    problems[name] = 'is missing: set both TLS_CERT_FILE and TLS_KEY_FILE, or neither';
  }
  const [cert, key] = names.map((name) => {
    try {
      return config[name] === undefined ? undefined : readFileSync(config[name]);
    } catch (error) {
      problems[name] = `can't be read: ${messageOf(error)}`;
      return undefined;
    }
  });
  if (!cert || !key) return problems;
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    problems.TLS_CERT_FILE = `and TLS_KEY_FILE are not a certificate and its key: ${messageOf(error)}`;
  }
  return problems;
}

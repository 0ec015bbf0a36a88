import {
  commonConfig,
  type Environment,
  integer,
  internalPort,
  loadConfig,
  secret,
  shutdownProblems,
  urlWith,
} from '#platform';
import { str, EnvError, makeValidator } from 'envalid';
import { openidProblems, portProblems, tlsProblems } from './gateway-rules.js';
import { foldEmail } from '#contracts';
import { isIP } from 'node:net';

/** An email address to which people write. */
export const emailAddress = makeValidator<string>((input) => {
  if (foldEmail(input) === null) throw new EnvError('must be an email address');
  return input;
});

const domainPattern = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u;

/** Domains of email addresses, separated by commas, in the form in which addresses are compared. */
export const emailDomains = makeValidator<readonly string[]>((input) =>
  input.split(',').map((part) => {
    const given = part.trim();
    const domain = domainPattern.test(given) ? foldEmail(`someone@${given}`)?.split('@')[1] : undefined;
    if (domain !== undefined) return domain;
    throw new EnvError(
      'must be domains of email addresses, separated by commas, for example corp.example,corp.example.de',
    );
  }),
);

/** An http or https origin, without a path; a slash at the end is dropped. */
export const origin = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  const isOrigin = url && ['http:', 'https:'].includes(url.protocol) && `${url.origin}/` === url.href;
  if (isOrigin) return url.origin;
  throw new EnvError('must be an origin without a path, for example https://api.example');
});

const networks = ['loopback', 'linklocal', 'uniquelocal'];

/** How many proxies are in front of the gateway, or their addresses and networks; `false`: none. */
export const trustedProxies = makeValidator<number | string[] | false>((input) => {
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

const port = integer({ min: 0, max: 65_535 });
const hostLimitMs = integer({ min: 100, max: 25_000 });

/** All configuration variables of the gateway. */
export const gatewaySpecs = {
  ...commonConfig,
  INTERNAL_PORT: internalPort(9_000),
  PORT: port({ default: 3_000, desc: 'port of the public API; ignored when LISTEN_FDS passes a socket' }),
  HOST: str({ default: '127.0.0.1', desc: 'address on which the public API listens' }),
  ADMIN_PORT: port({
    default: 3_001,
    desc: 'port of the admin API; must not be reachable from the internet',
  }),
  ADMIN_HOST: str({ default: '127.0.0.1', desc: 'address on which the admin API listens' }),
  ADMIN_TOKEN: secret(16)({ desc: 'bearer token of the admin API, at least 16 characters' }),
  PROFILE_TAG_SECRET: secret(16)({
    default: undefined,
    desc: 'key of the ETags of profiles and of the cursors of searches, at least 16 characters, the same at all gateways; default: derived from ADMIN_TOKEN. With another one every profile counts as changed and is charged once more, and a search begins again at its first page',
  }),
  LISTEN_FDS: integer({ min: 0, max: 2 })({
    default: 0,
    desc: 'sockets inherited from the parent process, as systemd passes them: 1 is the public one (descriptor 3), 2 adds the admin one (descriptor 4)',
  }),
  REQUEST_DEADLINE_MS: hostLimitMs({
    default: 5_000,
    desc: 'deadline of a request, ms: beyond it the answer is a 503 that costs nothing; must be less than the pending time-out of charges',
  }),
  HAND_OVER_MS: integer({ min: 100, max: 25_000 })({
    default: 20_000,
    desc: 'longest time from the charge of a call until its whole answer is handed over, ms: a client that reads more slowly is disconnected, and pays nothing a few times a day; must be less than the pending time-out of charges',
  }),
  CALLS_IN_WORK_MAX: integer({ min: 1, max: 10_000 })({
    default: 64,
    desc: 'calls of the public API in progress at once; the others wait for a slot',
  }),
  CALLS_WAITING_MAX: integer({ min: 1, max: 100_000 })({
    default: 4_000,
    desc: 'calls that may wait for a slot at once; beyond it the newest call of the account with the most waiting calls gets a 503',
  }),
  WAIT_MAX_MS: integer({ min: 0, max: 20_000 })({
    default: 2_000,
    desc: 'longest wait for a slot, ms; then the call gets a 503; capped at half of REQUEST_DEADLINE_MS',
  }),
  MAX_CONNECTIONS: integer({ min: 1, max: 1_000_000 })({
    default: 10_000,
    desc: 'open connections to the public port; beyond it idle ones are closed; the process needs this many file descriptors and 200 more',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: integer({ min: 1, max: 1_000_000 })({
    default: 5_000,
    desc: 'open connections of one address (IPv6: of its /64; of its /56 a quarter more, of its /48 half as many more); does not apply to proxies named in TRUST_PROXY',
  }),
  COMPRESS_ANSWERS: str({
    choices: ['true', 'false'],
    default: 'true',
    desc: 'compress answers of 2 kB and more for clients that accept gzip or br; `false` where a proxy does it',
  }),
  MCP: str({
    choices: ['on', 'off'],
    default: 'on',
    desc: 'whether the public port serves the Model Context Protocol at /mcp; `off`: the path is a 404',
  }),
  API_REFERENCE: str({
    choices: ['on', 'off'],
    default: 'on',
    desc: 'the OpenAPI document (`/openapi.json`) and the reference page (`/docs`) on the public port; `off` where only the API itself should be there',
  }),
  ACCOUNT_PAGES: str({
    choices: ['on', 'off'],
    default: 'on',
    desc: 'the account pages (`/account`) and the pages of creators (`/creators/{slug}`, where SITE_URL is this origin) on the public port; `off`: their paths are 404, and the home page (`/`) does not link to them',
  }),
  PUBLIC_URL: origin({
    default: undefined,
    desc: 'origin at which customers reach the public port, for example `https://api.example`: of the links in mails and in answers, of cookies, and of the forms that are accepted; default: HOST and PORT, and relative links to next pages',
  }),
  SALES_EMAIL: emailAddress({
    default: undefined,
    desc: 'address to which customers write about Enterprise and about anything that the account pages do not offer',
  }),
  OIDC_ISSUER: urlWith(
    'http:',
    'https:',
  )({
    default: undefined,
    desc: 'issuer of an OpenID Connect provider with which members may sign in, besides by mail; `http` only on this machine',
  }),
  OIDC_CLIENT_ID: str({ default: undefined, desc: 'client id of this service at OIDC_ISSUER' }),
  OIDC_CLIENT_SECRET: str({
    default: undefined,
    desc: 'client secret of this service at OIDC_ISSUER; also protects the cookie of a sign-in that is under way',
  }),
  OIDC_TRUST_EMAIL_DOMAINS: emailDomains({
    default: undefined,
    desc: 'domains, separated by commas, whose addresses count as verified although OIDC_ISSUER does not say so: for a tenant of your own at Microsoft Entra; exactly these, no subdomains',
  }),
  DRAIN_MS: integer({ min: 0, max: 300_000 })({
    default: 1_000,
    desc: 'how long requests are still accepted after SIGTERM, each closing its connection, before the ports are closed, ms',
  }),
  TRUST_PROXY: trustedProxies({
    default: false,
    desc: 'proxies whose X-Forwarded-For is trusted: their number, or their addresses or networks, separated by commas; empty: none',
  }),
  TLS_CERT_FILE: str({
    default: undefined,
    desc: 'file with the certificate chain (PEM); when set, the public port serves HTTPS',
  }),
  TLS_KEY_FILE: str({ default: undefined, desc: 'file with the private key of TLS_CERT_FILE (PEM)' }),
};

/** Throws one `ConfigError` with all problems, including those between variables. */
export function readGatewayConfig(environment: Environment) {
  return loadConfig(gatewaySpecs, environment, [shutdownProblems, portProblems, tlsProblems, openidProblems]);
}

export type GatewayConfig = ReturnType<typeof readGatewayConfig>;

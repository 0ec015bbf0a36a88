import { edgeSettings, origin, port, footerSettings, sharedPorts, tlsProblems } from '#http';
import {
  commonConfig,
  type Environment,
  integer,
  internalPort,
  loadConfig,
  secret,
  shutdownProblems,
} from '#platform';
import { str } from 'envalid';

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
    desc: 'key of the ETags of profiles and searches and of the cursors of searches, at least 16 characters, the same at all gateways; default: derived from ADMIN_TOKEN. With another one every answer counts as changed and is charged once more, and a search begins again at its first page',
  }),
  LISTEN_FDS: integer({ min: 0, max: 2 })({
    default: 0,
    desc: 'sockets inherited from the parent process, as systemd passes them: 1 is the public one (descriptor 3), 2 adds the admin one (descriptor 4)',
  }),
  ...edgeSettings,
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
  PUBLIC_URL: origin({
    default: undefined,
    desc: 'origin at which customers reach the public port, for example `https://api.example`: of the links in answers; default: HOST and PORT, and relative links to next pages',
  }),
  ...footerSettings,
  SITE_URL: origin({
    default: undefined,
    desc: 'origin of the website, where there is one, for example `https://creators.example`: of the links in errors and on the pages at `/docs`, and of the pages in links for signing in; empty: no such links',
  }),
};

/** Throws one `ConfigError` with all problems, including those between variables. */
export function readGatewayConfig(environment: Environment) {
  return loadConfig(gatewaySpecs, environment, [
    shutdownProblems,
    // An inherited socket needs no port.
    ({ LISTEN_FDS: inherited = 0, ...config }) =>
      sharedPorts([
        { name: 'PORT', port: inherited < 1 ? config.PORT : 0, host: config.HOST },
        { name: 'ADMIN_PORT', port: inherited < 2 ? config.ADMIN_PORT : 0, host: config.ADMIN_HOST },
        { name: 'INTERNAL_PORT', port: config.INTERNAL_PORT, host: config.INTERNAL_HOST },
      ]),
    tlsProblems,
  ]);
}

export type GatewayConfig = ReturnType<typeof readGatewayConfig>;

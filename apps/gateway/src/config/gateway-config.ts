import {
  commonConfig,
  integer,
  internalPort,
  loadConfig,
  secret,
  shutdownProblems,
  type Environment,
} from '@app/platform';
import { str } from 'envalid';
import { portProblems, tlsProblems } from './gateway-rules.js';
import { trustedProxies } from './trusted-proxies.js';

const port = integer({ min: 0, max: 65_535 });
const hostLimitMs = integer({ min: 100, max: 25_000 });

/** Everything that can be set on the gateway. */
export const gatewaySpecs = {
  ...commonConfig,
  INTERNAL_PORT: internalPort(9_000),
  PORT: port({ default: 3_000, desc: 'port of the public API; ignored when LISTEN_FDS passes a socket' }),
  HOST: str({ default: '127.0.0.1', desc: 'address on which the public API listens' }),
  ADMIN_PORT: port({ default: 3_001, desc: 'port of the admin API; never made public' }),
  ADMIN_HOST: str({ default: '127.0.0.1', desc: 'address on which the admin API listens' }),
  ADMIN_TOKEN: secret(16)({ desc: 'bearer token of the admin API, at least 16 characters' }),
  LISTEN_FDS: integer({ min: 0, max: 2 })({
    default: 0,
    desc: 'sockets inherited from the parent process, as systemd passes them: 1 is the public one (descriptor 3), 2 adds the admin one (descriptor 4)',
  }),
  REQUEST_DEADLINE_MS: hostLimitMs({
    default: 5_000,
    desc: 'a request that takes longer is answered with 503 and costs nothing, ms; must stay below the pending time-out of charges',
  }),
  HAND_OVER_MS: integer({ min: 100, max: 25_000 })({
    default: 20_000,
    desc: 'from the charge of a call until its whole answer has been handed over, ms: a client that reads more slowly is cut off and pays nothing; must stay below the pending time-out of charges',
  }),
  CALLS_IN_WORK_MAX: integer({ min: 1, max: 10_000 })({
    default: 256,
    desc: 'calls of the public API that may be in work at once, at most; the gateway finds out by itself how many bring the most answers per second, from 16 on',
  }),
  CALLS_WAITING_MAX: integer({ min: 1, max: 100_000 })({
    default: 4_000,
    desc: 'calls that may wait for their turn at once; beyond it the newest of the key with the most waiting gets a 503',
  }),
  WAIT_MAX_MS: integer({ min: 0, max: 20_000 })({
    default: 2_000,
    desc: 'a call whose turn does not come within this time gets a 503, ms; at most half of REQUEST_DEADLINE_MS counts; 120 ms while an overload lasts',
  }),
  MAX_CONNECTIONS: integer({ min: 1, max: 1_000_000 })({
    default: 10_000,
    desc: 'open connections to the public port; beyond it idle ones are ended to make room; the process needs as many file descriptors and 200 more',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: integer({ min: 1, max: 1_000_000 })({
    default: 5_000,
    desc: 'the same for one address (of IPv6, its /64); proxies that TRUST_PROXY names are not bounded by it',
  }),
  COMPRESS_ANSWERS: str({
    choices: ['true', 'false'],
    default: 'true',
    desc: 'whether answers from 2 kB on are compressed for clients that accept gzip, br or zstd (Node.js 22.15 or later); `false` where a proxy does it',
  }),
  DRAIN_MS: integer({ min: 0, max: 300_000 })({
    default: 1_000,
    desc: 'after SIGTERM: how long requests are still taken, each ending its connection, before the ports are closed, ms',
  }),
  TRUST_PROXY: trustedProxies({
    default: false,
    desc: 'proxies whose X-Forwarded-For is believed: how many there are, or their addresses or networks, separated by commas; empty: none',
  }),
  TLS_CERT_FILE: str({
    default: undefined,
    desc: 'certificate chain (PEM): the public port then speaks HTTPS',
  }),
  TLS_KEY_FILE: str({ default: undefined, desc: 'private key of TLS_CERT_FILE (PEM)' }),
};

/** Throws `ConfigError` with every problem at once, those between variables included. */
export function readGatewayConfig(environment: Environment) {
  return loadConfig(gatewaySpecs, environment, [shutdownProblems, portProblems, tlsProblems]);
}

export type GatewayConfig = ReturnType<typeof readGatewayConfig>;

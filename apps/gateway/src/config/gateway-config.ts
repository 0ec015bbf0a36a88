import { commonConfig, integer, loadConfig, secret, type Environment } from '@app/platform';
import { str } from 'envalid';
import { trustedProxies } from './trusted-proxies.js';

const port = integer({ min: 0, max: 65_535 });
const hostLimitMs = integer({ min: 100, max: 25_000 });

/** Everything that can be set on the gateway. */
export const gatewaySpecs = {
  ...commonConfig,
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
  IN_FLIGHT_MAX: integer({ min: 1, max: 100_000 })({
    default: 1_000,
    desc: 'calls of the public API that may be in work at once, at most: fewer while they wait for each other; the rest gets a 503 at once',
  }),
  IN_FLIGHT_MIN: integer({ min: 1, max: 100_000 })({
    default: 16,
    desc: 'calls that may be in work at once however slow they are; a larger number refuses fewer under a lasting overload, and keeps those that are let in waiting longer',
  }),
  DRAIN_MS: integer({ min: 0, max: 8_000 })({
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

/** Raises `ConfigError` with every problem at once. */
export function readGatewayConfig(environment: Environment) {
  return loadConfig(gatewaySpecs, environment);
}

export type GatewayConfig = ReturnType<typeof readGatewayConfig>;

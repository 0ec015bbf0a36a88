import { type GatewayConfig } from '../../config/gateway-config.js';

/** systemd's convention: inherited sockets begin at descriptor 3. */
const inherited = { public: 3, admin: 4 } as const;

/** An inherited descriptor where the parent process passed one, else host and port. */
export function listenAddress(
  config: GatewayConfig,
  server: keyof typeof inherited,
): { host: string; port: number } | { host: string; fd: number } {
  const [host, port] =
    server === 'public' ? [config.HOST, config.PORT] : [config.ADMIN_HOST, config.ADMIN_PORT];
  const fd = inherited[server];
  return fd < inherited.public + config.LISTEN_FDS ? { host, fd } : { host, port };
}

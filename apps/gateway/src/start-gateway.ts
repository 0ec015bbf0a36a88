import { Readiness, Shutdown, listenAddress, warnOfUnset } from '#http';
import { type Closable, type Logger, shutdownTimes } from '#platform';
import { createAdminApp } from './admin/create-admin-app.js';
import { type GatewayConfig } from './config/gateway-config.js';
import { createPublicApp } from './public-api/create-public-app.js';

/**
 * The whole process: two Nest applications, because the public and the admin API have a port, rules and connections of their
 * own: an import does not delay a call or its charge. They stop together.
 */
export async function startGateway(config: GatewayConfig, logger: Logger): Promise<Closable> {
  const options = { config, logger, shutdown: new Shutdown(shutdownTimes(config)) };
  const { HOST, PUBLIC_URL, SITE_URL } = config;
  warnOfUnset(logger, config, HOST, { PUBLIC_URL, SITE_URL });
  const [publicApp, adminApp] = await Promise.all([createPublicApp(options), createAdminApp(options)]);
  await publicApp.listen(listenAddress(config.HOST, config.PORT, 0, config.LISTEN_FDS));
  await adminApp.listen(listenAddress(config.ADMIN_HOST, config.ADMIN_PORT, 1, config.LISTEN_FDS));
  publicApp.get(Readiness).listening();
  logger.info({ url: await publicApp.getUrl(), admin_url: await adminApp.getUrl() }, 'listening');

  const close = async (): Promise<void> => {
    options.shutdown.begin();
    const closed = await Promise.allSettled([publicApp.close(), adminApp.close()]);
    for (const result of closed) if (result.status === 'rejected') throw result.reason;
  };
  return { close };
}

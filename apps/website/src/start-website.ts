import { setTimeout as delay } from 'node:timers/promises';
import { listenAddress, Readiness, Shutdown, warnOfUnset } from '#http';
import { type Closable, type Logger, shutdownTimes } from '#platform';
import { operatorOf, type WebsiteConfig } from './config/website-config.js';
import { createWebsite } from './create-website.js';

/** The whole process. On closing, pages are served until load balancers have noticed; then every answer in work is finished. */
export async function startWebsite(config: WebsiteConfig, logger: Logger): Promise<Closable> {
  const shutdown = new Shutdown(shutdownTimes(config));
  warnOfUnset(logger, config, config.SITE_HOST, { SITE_URL: config.SITE_URL });
  warnOfUnset(logger, config, config.SITE_HOST, operatorOf(config), 'pages do not say who runs the service');
  const app = await createWebsite({ config, logger, shutdown });
  await app.listen(listenAddress(config.SITE_HOST, config.SITE_PORT, 0, config.LISTEN_FDS));
  app.get(Readiness).listening();
  logger.info({ url: await app.getUrl() }, 'listening');

  const close = async (): Promise<void> => {
    shutdown.begin();
    await delay(shutdown.msUntil('drained'));
    const cutOff = setTimeout(() => app.getHttpServer().closeAllConnections(), shutdown.msUntil('answered'));
    await app.close();
    clearTimeout(cutOff);
  };
  return { close };
}

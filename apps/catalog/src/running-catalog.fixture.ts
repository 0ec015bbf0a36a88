import { pathToFileURL } from 'node:url';
import { type Closable, createLogger } from '#platform';
import { freePort } from '#local-stack';
import { startMicroservice } from '#transport';
import { readCatalogConfig } from './catalog-config.js';
import { CatalogModule } from './catalog.module.js';

export const context = { requestId: 'request' };
export const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

/** Built by the set-up of these tests: a thread runs no sources. */
const compiled = pathToFileURL('dist/apps/catalog/src/catalog.module.js').href;

interface StartingCatalog {
  readonly internalUrl: string;
  /** Resolves when it answers messages. */
  readonly service: Promise<Closable>;
}

/** Starts the catalog as deployed, with threads; `environment` overrides variables. */
export async function startCatalog(
  redisUrl: string,
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<StartingCatalog> {
  const port = await freePort();
  const config = readCatalogConfig({
    SERVICE_REDIS_URL: redisUrl,
    CATALOG_DATABASE_URL: databaseUrl,
    SITE_URL: 'https://site.example/',
    INTERNAL_PORT: String(port),
    LOG_LEVEL: 'fatal',
    ...environment,
  });
  const service = startMicroservice(CatalogModule.forRoot(config, logger, compiled), logger);
  return { internalUrl: `http://127.0.0.1:${port}`, service };
}

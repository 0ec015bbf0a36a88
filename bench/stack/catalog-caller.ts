import { performance } from 'node:perf_hooks';
import { searchCreators, type SearchRequest } from '@app/contracts';
import { createLogger } from '@app/platform';
import { ServiceClient } from '@app/transport';

/** Searches as the gateway asks the catalog: over Redis, without the key, the rate limit and the ledger of a call. */
export class CatalogCaller {
  private readonly services: ServiceClient;

  constructor(redisUrl: string) {
    const logger = createLogger({ service: 'bench', level: 'fatal', pretty: false });
    this.services = new ServiceClient({ redisUrl, logger });
  }

  connect(): Promise<void> {
    return this.services.connect();
  }

  /** Milliseconds of one search, from its sending to its reply; throws when it does not succeed. */
  async search(search: SearchRequest): Promise<number> {
    const startedAt = performance.now();
    await this.services.request(searchCreators, search, { requestId: 'bench' });
    return performance.now() - startedAt;
  }

  close(): Promise<void> {
    return this.services.close();
  }
}

import { type CatalogFacts, describeCatalog } from '#contracts';
import { ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { CachedAnswer } from './cached-answer.js';

/** How large and how fresh the catalog is, which is asked every five minutes. */
@Injectable()
export class KnownCatalogFacts extends CachedAnswer<CatalogFacts> {
  constructor(services: ServiceClient) {
    super(services, describeCatalog, 300_000);
  }
}

import { type CatalogFacts, describeCatalog } from '#contracts';
import { ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { Remembered } from './remembered.js';

/** How large and how fresh the catalog is, which is asked every five minutes. */
@Injectable()
export class KnownCatalogFacts extends Remembered<CatalogFacts> {
  constructor(services: ServiceClient) {
    super(services, describeCatalog, 300_000);
  }
}

import { TransactionRunner } from '@app/platform/database';
import { type DataSource } from 'typeorm';
import { CatalogStateRepository } from '../creators/catalog-state.repository.js';
import { CreatorsRepository } from '../creators/creators.repository.js';
import { ReadReplicas } from '../database/read-replicas.js';
import { Import } from './import.entity.js';
import { type ImportStores } from './import.service.js';
import { ImportsRepository } from './imports.repository.js';

/** What an `ImportService` needs, on connections that a test or a benchmark has opened itself. */
export function importStoresOn(dataSource: DataSource): ImportStores {
  const transactions = new TransactionRunner(dataSource);
  return {
    transactions,
    imports: new ImportsRepository(dataSource.getRepository(Import), transactions),
    creators: new CreatorsRepository(new ReadReplicas(dataSource)),
    state: new CatalogStateRepository(),
  };
}

import { TransactionRunner } from '#platform/database';
import { type DataSource } from 'typeorm';
import { CatalogStateRepository, CreatorsRepository } from '../creators/creators.repository.js';
import { Import } from './import.entity.js';
import { ImportService } from './import.service.js';
import { type SearchIndex } from '../search/search.module.js';
import { ImportsRepository } from './imports.repository.js';
import { type ChunkPreparer, prepareChunk } from './prepare-chunk.js';

/** Does the thread's work in the current thread. */
const inProcessPreparer: ChunkPreparer = {
  prepare: (bytes, firstLine) => Promise.resolve(prepareChunk(bytes, firstLine, new Date())),
  close: () => Promise.resolve(),
};

export function importsOn(dataSource: DataSource): ImportsRepository {
  return new ImportsRepository(dataSource.getRepository(Import), new TransactionRunner(dataSource));
}

/** On connections that a test or a benchmark has opened itself; searches are not notified. */
export function importServiceOn(
  dataSource: DataSource,
  preparer: ChunkPreparer = inProcessPreparer,
  limits: Partial<ImportService['limits']> = {},
  searches: Pick<SearchIndex, 'wake' | 'full'> = { wake: () => undefined, full: null },
): ImportService {
  const service = new ImportService(
    new TransactionRunner(dataSource),
    importsOn(dataSource),
    new CreatorsRepository(),
    new CatalogStateRepository(),
    preparer,
    searches,
  );
  Object.assign(service.limits, limits);
  return service;
}

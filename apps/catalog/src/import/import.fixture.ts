import { TransactionRunner } from '#platform/database';
import { type DataSource } from 'typeorm';
import { CreatorsRepository } from '../creators/creators.repository.js';
import { rowOf } from '../creators/creator-row.js';
import { CreatorWriter } from '../creators/creator-writer.js';
import { Import } from './import.entity.js';
import { ImportService } from './import.service.js';
import { type SearchIndex } from '../search/search.module.js';
import { ImportsRepository } from './imports.repository.js';
import { type ChunkPreparer } from './chunk-preparer.js';
import { prepareChunk } from './prepare-chunk.js';

/** Does the thread's work in the current thread. */
const inProcessPreparer: Pick<ChunkPreparer, 'prepare' | 'rows'> = {
  prepare: (bytes, firstLine, rules) => Promise.resolve(prepareChunk(bytes, firstLine, new Date(), rules)),
  rows: (creators) => Promise.resolve(creators.map(rowOf)),
};

export function importsOn(dataSource: DataSource): ImportsRepository {
  return new ImportsRepository(dataSource.getRepository(Import), new TransactionRunner(dataSource));
}

/** On connections that a test or a benchmark has opened itself; searches are not notified. */
export function importServiceOn(
  dataSource: DataSource,
  preparer = inProcessPreparer,
  limits: Partial<ImportService['limits']> = {},
  searches: Pick<SearchIndex, 'wake' | 'full'> = { wake: () => undefined, full: null },
): ImportService {
  const service = new ImportService(
    new TransactionRunner(dataSource),
    importsOn(dataSource),
    new CreatorWriter(new CreatorsRepository()),
    preparer,
    searches,
  );
  Object.assign(service.limits, limits);
  return service;
}

import { type DynamicModule, Module } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { CreatorJson } from './creators/creator-json.js';
import { ImportMessages } from './import/import.messages.js';
import { ImportService } from './import/import.service.js';
import { type ChunkPreparer } from './import/prepare-chunk.js';
import { CreatorsMessages } from './profiles/creators.messages.js';
import { CreatorsService } from './profiles/creators.service.js';
import { SearchEngine } from './search/search-engine.js';
import { SearchMessages } from './search/search.messages.js';

export interface CatalogParts {
  readonly dataSource: DataSource;
  readonly siteUrl: string;
  readonly engine: SearchEngine;
  readonly preparer: ChunkPreparer;
}

/** Creators: import, search and profiles. */
@Module({})
export class CatalogModule {
  static register({ dataSource, siteUrl, engine, preparer }: CatalogParts): DynamicModule {
    const json = new CreatorJson(siteUrl);
    return {
      module: CatalogModule,
      controllers: [SearchMessages, CreatorsMessages, ImportMessages],
      providers: [
        { provide: SearchEngine, useValue: engine },
        { provide: ImportService, useValue: new ImportService(dataSource, preparer) },
        { provide: CreatorsService, useValue: new CreatorsService(dataSource, json) },
      ],
    };
  }
}

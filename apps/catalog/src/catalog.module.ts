import { type DynamicModule, Module } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { CreatorJson } from './creators/creator-json.js';
import { ImportMessages } from './import/import.messages.js';
import { ImportService } from './import/import.service.js';
import { type ChunkPreparer } from './import/prepare-chunk.js';
import { CreatorsMessages } from './profiles/creators.messages.js';
import { CreatorsService } from './profiles/creators.service.js';
import { type Search } from './search/create-search.js';
import { SearchEngine } from './search/search-engine.js';
import { SearchMessages } from './search/search.messages.js';
import { BackgroundWork } from './threads/background-work.js';

export interface CatalogParts {
  readonly dataSource: DataSource;
  readonly siteUrl: string;
  readonly search: Pick<Search, 'engine' | 'wake'>;
  readonly preparer: ChunkPreparer;
  readonly background: BackgroundWork;
}

/** Creators: import, search and profiles. */
@Module({})
export class CatalogModule {
  static register({ dataSource, siteUrl, search, preparer, background }: CatalogParts): DynamicModule {
    const json = new CreatorJson(siteUrl);
    const imports = new ImportService(dataSource, preparer, { background, onStored: () => search.wake() });
    return {
      module: CatalogModule,
      controllers: [SearchMessages, CreatorsMessages, ImportMessages],
      providers: [
        { provide: SearchEngine, useValue: search.engine },
        { provide: BackgroundWork, useValue: background },
        { provide: ImportService, useValue: imports },
        { provide: CreatorsService, useValue: new CreatorsService(dataSource, json) },
      ],
    };
  }
}

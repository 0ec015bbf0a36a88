import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ReadReplicasModule } from '../database/read-replicas.module.js';
import { CatalogStateEntity } from './catalog-state.entity.js';
import { CatalogStateRepository } from './catalog-state.repository.js';
import { CreatorDeletion } from './creator-deletion.entity.js';
import { CreatorEntity } from './creator.entity.js';
import { CreatorsRepository } from './creators.repository.js';

/** The stored creators, for imports and for single changes. */
@Module({
  imports: [
    ReadReplicasModule,
    TypeOrmModule.forFeature([CatalogStateEntity, CreatorDeletion, CreatorEntity]),
  ],
  providers: [CatalogStateRepository, CreatorsRepository],
  exports: [CatalogStateRepository, CreatorsRepository],
})
export class CreatorsStoreModule {}

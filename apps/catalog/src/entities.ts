import { AdminLogRow } from '#platform/database';
import { CatalogStateEntity, CreatorDeletion, CreatorEntity } from './creators/creator.entity.js';
import { CreatorReads } from './demand/creator-reads.entity.js';
import { FreshnessRow } from './freshness/freshness.entity.js';
import { Import, ImportChunk, ImportSlug } from './import/import.entity.js';
import { RemovalEntity, RemovalKeyEntity } from './removals/removal.entity.js';

/** The entity of each table. */
export const entities = [
  AdminLogRow,
  CatalogStateEntity,
  CreatorDeletion,
  CreatorEntity,
  CreatorReads,
  FreshnessRow,
  Import,
  ImportChunk,
  ImportSlug,
  RemovalEntity,
  RemovalKeyEntity,
];

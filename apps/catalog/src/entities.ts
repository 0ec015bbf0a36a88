import { AdminLogRow } from '#platform/database';
import { CatalogStateEntity, CreatorDeletion, CreatorEntity } from './creators/creator.entity.js';
import { Import, ImportChunk, ImportSlug } from './import/import.entity.js';
import { RemovalEntity, RemovalKeyEntity } from './removals/removal.entity.js';

/** The entity of each table. */
export const entities = [
  AdminLogRow,
  CatalogStateEntity,
  CreatorDeletion,
  CreatorEntity,
  Import,
  ImportChunk,
  ImportSlug,
  RemovalEntity,
  RemovalKeyEntity,
];

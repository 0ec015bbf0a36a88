import { CatalogStateEntity } from './creators/catalog-state.entity.js';
import { CreatorDeletion } from './creators/creator-deletion.entity.js';
import { CreatorEntity } from './creators/creator.entity.js';
import { ImportChunk } from './import/import-chunk.entity.js';
import { ImportSlug } from './import/import-slug.entity.js';
import { Import } from './import/import.entity.js';

/** The entity of each table. */
export const entities = [CatalogStateEntity, CreatorDeletion, CreatorEntity, Import, ImportChunk, ImportSlug];

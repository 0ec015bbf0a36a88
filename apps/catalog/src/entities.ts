import { CatalogStateEntity } from './creators/creator.entity.js';
import { CreatorDeletion } from './creators/creator.entity.js';
import { CreatorEntity } from './creators/creator.entity.js';
import { ImportChunk } from './import/import.entity.js';
import { ImportSlug } from './import/import.entity.js';
import { Import } from './import/import.entity.js';

/** The entity of each table. */
export const entities = [CatalogStateEntity, CreatorDeletion, CreatorEntity, Import, ImportChunk, ImportSlug];

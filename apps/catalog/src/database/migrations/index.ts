import { Catalog1764547200000 } from './0001-catalog.js';
import { AdminLog1797120006000 } from './0002-admin-log.js';

/** Every migration of the catalog database, in order; new ones are added at the end and never edited. */
export const migrations = [Catalog1764547200000, AdminLog1797120006000];

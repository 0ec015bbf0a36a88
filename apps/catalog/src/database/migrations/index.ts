import { Catalog1764547200000 } from './0001-catalog.js';

/** Every migration of the catalog database, in order; new ones are added at the end and never edited. */
export const migrations = [Catalog1764547200000];

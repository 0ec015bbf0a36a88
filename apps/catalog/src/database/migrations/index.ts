import { Catalog1764547200000 } from './0001-catalog.js';
import { Removals1795600000000 } from './0003-removals.js';

/** Every migration of the catalog database, in order; new ones are added at the end and never edited. */
export const migrations = [Catalog1764547200000, Removals1795600000000];

import { Catalog1764547200000 } from './0001-catalog.js';
import { AdminLog1797120006000 } from './0002-admin-log.js';
import { Removals1797120010000 } from './0003-removals.js';
import { InlinedRemovalHash1797120012000 } from './0005-inlined-removal-hash.js';
import { TextVersion1797120013000 } from './0006-text-version.js';
import { CreatorsByAccount1797120015000 } from './0008-creators-by-account.js';

/** Every migration of the catalog database, in order; new ones are added at the end and never edited. */
export const migrations = [
  Catalog1764547200000,
  AdminLog1797120006000,
  Removals1797120010000,
  InlinedRemovalHash1797120012000,
  TextVersion1797120013000,
  CreatorsByAccount1797120015000,
];

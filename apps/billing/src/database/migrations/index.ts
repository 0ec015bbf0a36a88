import { Schema1797200000000 } from './0001-schema.js';

/** Every migration of the billing database, in order; new ones are added at the end and never edited. */
export const migrations = [Schema1797200000000];

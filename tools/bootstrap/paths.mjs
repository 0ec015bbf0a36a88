import { join } from 'node:path';

/** The directory of this checkout. */
export const root = join(import.meta.dirname, '../..');

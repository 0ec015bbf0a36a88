import { miraSolenne } from '../../../tools/stack/sample.js';
import { admin, type CreatorRecord, succeeded } from '../../support/admin-api.js';
import { type SuiteCatalog } from '../../support/suite-catalog.js';

/** More than two pages of the largest size. */
export const brazilianCount = 250;

/** The fitness creators in Brazil whom the guides search for. */
export function brazilians(catalog: SuiteCatalog): CreatorRecord[] {
  return Array.from({ length: brazilianCount }, (_, index) =>
    catalog.record(`brazilian-${index}`, { country: 'Brazil', categories: ['fitness'] }),
  );
}

/** Replaces the creator of the examples by one with this tagline. */
export async function changeMira(tagline: string): Promise<void> {
  succeeded(await admin.call('PUT', `/creators/${miraSolenne.slug}`, { ...miraSolenne, tagline }));
}

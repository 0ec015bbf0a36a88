import { type CreatorRecord } from './creators.js';

/** The fictional creator of the examples in the guides: one of the sample creators, and of the creators that test keys see. */
export const miraSolenne: CreatorRecord & { readonly slug: string } = {
  slug: 'mira-solenne',
  name: 'Mira Solenne',
  tagline: 'Yoga by the sea',
  country: 'France',
  languages: ['French', 'English'],
  verified: true,
  categories: ['fitness', 'travel'],
  published: true,
  platforms: [
    {
      platform: 'youtube',
      handle: 'mirasolenne',
      followers: 412_000,
      updated_at: '2025-06-02T09:00:00.000Z',
    },
    {
      platform: 'instagram',
      handle: 'mirasolenne',
      followers: 187_000,
      updated_at: '2025-06-01T18:30:00.000Z',
    },
  ],
};

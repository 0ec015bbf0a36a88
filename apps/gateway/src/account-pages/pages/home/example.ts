import { creatorsPrefix } from '../../paths/page-paths.js';

/** A search with two filters. */
export const exampleQuery = 'country=France&category=fitness&limit=1';

/** What it could answer, with a fictional creator. */
export function exampleAnswer(origin: string): object {
  return {
    total: 5,
    returned: 1,
    credits_used: 3,
    credits_remaining: 47,
    creators: [
      {
        slug: 'mira-solenne',
        name: 'Mira Solenne',
        url: `${origin}${creatorsPrefix}/mira-solenne`,
        country: 'France',
        total_reach: 599_000,
        platforms: [
          {
            platform: 'youtube',
            handle: '@mirasolenne',
            url: 'https://www.youtube.com/@mirasolenne',
            followers: 412_000,
          },
          {
            platform: 'instagram',
            handle: '@mirasolenne',
            url: 'https://www.instagram.com/mirasolenne/',
            followers: 187_000,
          },
        ],
      },
    ],
  };
}

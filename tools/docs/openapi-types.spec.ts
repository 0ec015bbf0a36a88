import { compileWithTypes } from './compile-with-types.js';

/** What a consumer writes with the types, and three mistakes that they have to find. */
const use = `import type { components, operations, paths } from './api.js';

type Search = paths['/api/public/v1/search']['get'];
type Page = Search['responses'][200]['content']['application/json'];

export const query: Search['parameters']['query'] = { q: 'mira', platform: 'youtube', limit: 10 };
export const handles = (page: Page): string[] => page.creators.flatMap((creator) => creator.platforms.map(({ handle }) => handle));
export const warning = (page: Page): string | undefined => page.warning;
export const website = (profile: components['schemas']['CreatorProfile']): string | undefined => profile.website;
export const missing = (error: operations['searchCreators']['responses'][402]['content']['application/json']): number =>
  error.credits_needed - error.credits_remaining;

// @ts-expect-error -- no such platform
export const platform: Search['parameters']['query'] = { platform: 'myspace' };
// @ts-expect-error -- a number
export const total = (page: Page): string => page.total;
// @ts-expect-error -- not documented
export const next = (page: Page): unknown => page.next;
`;

it('openapi-typescript makes types of the document that a strict compiler takes, and that tell right from wrong', () => {
  expect(compileWithTypes(use)).toBe('');
}, 60_000);

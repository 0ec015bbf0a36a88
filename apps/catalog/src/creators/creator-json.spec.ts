import fc from 'fast-check';
import { type Creator } from './creator.js';
import { CreatorJson } from './creator-json.js';

const creator: Creator = {
  slug: 'luna',
  name: 'Luna',
  tagline: 'Travels.',
  country: 'France',
  languages: ['French'],
  verified: true,
  website: 'https://luna.example',
  categories: ['travel'],
  platforms: [
    {
      platform: 'x',
      handle: 'lunatravels',
      url: 'https://x.com/lunatravels',
      followers: 1_234_567,
      updated_at: '2026-01-31T12:00:00.000Z',
    },
  ],
};
const json = new CreatorJson({ SITE_URL: 'https://site.example/' });

it('everyone may see a name, a tagline, a country and platforms, with nothing that leads to them', () => {
  expect(json.public(creator)).toEqual({
    name: 'Luna',
    tagline: 'Travels.',
    country: 'France',
    url: 'https://site.example/creators/luna',
    platforms: [{ platform: 'x', reach: 1_200_000 }],
  });
});

it('the public reach has two digits of the followers, and none of less than 1,000', () => {
  const [account] = creator.platforms;
  fc.assert(
    fc.property(fc.nat({ max: 2_000_000_000 }), (followers) => {
      const shown = json.public({ ...creator, platforms: account ? [{ ...account, followers }] : [] });
      const [{ reach } = { reach: -1 }] = shown.platforms;
      if (followers < 1_000) expect(reach).toBe(0);
      else {
        expect(Math.abs(reach - followers)).toBeLessThanOrEqual(followers * 0.05);
        expect(String(reach)).toMatch(/^\d{1,2}0*$|^\d0*$/);
      }
    }),
  );
});

import fc from 'fast-check';
import { platforms } from '#contracts';
import { EntryWriter, writeRecord } from '#creator-index';
import { type Creator, totalReach } from './creator.js';
import { CreatorJson } from './creator-json.js';
import { recordOf } from './creator-records.fixture.js';
import { parseCreatorRecord } from './parse-creator-record.js';

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
const json = new CreatorJson('https://site.example/');

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

function creatorOf(record: object): Creator {
  return { ...parseCreatorRecord(record, new Date()), slug: 'some-one' };
}

function recordFor(creator: Creator): string {
  const { slug, name, country, platforms: accounts } = creator;
  return writeRecord({ slug, name, country, reach: totalReach(creator), accounts });
}

it.each(['https://site.example', 'https://site.example//', 'https://site.example/"a'])(
  'a search entry agrees with the profile, on the site %s',
  (siteUrl) => {
    const account = {
      handle: 'zoe_z',
      updated_at: '2024-01-01T00:00:00Z',
    };
    const accounts = platforms.map((platform, at) => {
      const url = `https://www.${platform}.com/z?a="\u00eb"`;
      return { ...account, platform, url, followers: at };
    });
    const record = recordOf('some-one', { name: 'A "quoted" name', platforms: accounts });
    const creator = creatorOf(record);
    const entry: unknown = JSON.parse(new EntryWriter(siteUrl).entry(recordFor(creator)));
    expect(JSON.parse(new CreatorJson(siteUrl).profile(creator))).toMatchObject(entry as object);
  },
);

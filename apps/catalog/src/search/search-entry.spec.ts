import { platforms } from '#contracts';
import { EntryWriter, writeRecord } from '#creator-index';
import { CreatorJson } from '../creators/creator-json.js';
import { recordOf } from '../creators/creator-records.fixture.js';
import { type Creator, totalReach } from '../creators/creator.js';
import { parseCreatorRecord } from '../creators/parse-creator-record.js';

function recordFor(creator: Creator): string {
  const { slug, name, country, platforms: accounts } = creator;
  return writeRecord({ slug, name, country, reach: totalReach(creator), accounts });
}

it.each(platforms)('the usual URL of an account on %s is not stored in a search entry', (platform) => {
  const account = { platform, handle: '@some_one_1', followers: 1, updated_at: '2024-01-01T00:00:00Z' };
  const creator = parseCreatorRecord(recordOf('some-one', { platforms: [account] }), new Date());
  expect(recordFor(creator)).not.toContain('http');
  expect(recordFor(creator).split('\n')).toHaveLength(8);
});

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
    const creator = parseCreatorRecord(record, new Date());
    const entry: unknown = JSON.parse(new EntryWriter(siteUrl).entry(recordFor(creator)));
    expect(JSON.parse(new CreatorJson(siteUrl).profile(creator))).toMatchObject(entry as object);
  },
);

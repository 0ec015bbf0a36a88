import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { reply, ScriptedAdminApi } from './cli.fixture.js';
import { workbook } from './import/workbook.fixture.js';
import { person } from './wikidata/item.fixture.js';

const day = { day: 46_053 };

/** Lists in the shapes that docs/importing.md describes. */
const files: Readonly<Record<string, string | Buffer>> = {
  'handles.csv': 'handle\n@ada_example\nbob.example\nn/a\n',
  'links.csv':
    'sep=;\r\nName;Link;Subscribers\r\nAda;https://www.youtube.com/@ada;1,2 M\r\nBob;youtube.com/c/bob;37\r\n',
  'youtubers.csv': Buffer.from(
    'rank,Youtuber,Channel,subscribers,category,channel_type,Country\n' +
      '1,Zo\u00eb,@zoe,1.2E+06,Music,nan,nan\n2,"Bob, too,@bob,1678.0,nan,nan,Peru\n3,Cyd,@cyd,1678.0,Art,Food,Peru\n',
    'latin1',
  ),
  'counts.csv': 'handle,followers\n@ada,"1,200"\n',
  'list.xlsx': workbook([
    ['Name', 'Handle', 'Followers', 'Followers', 'As of', 'Country', 'Languages', 'Categories'],
    [],
    ['Ada &amp; Bob', 100_012_345_678, 1200, 3_400_000, day, 'Norway', 'Norwegian, English', ''],
    // More than 15 digits are shown as rounded.
    ['Cyd', 1.00012345678901e17, 1200, 3_400_000, day, 'Norway', 'Norwegian', ''],
  ]),
  'latest-all.json.gz': gzipSync(`[\n${JSON.stringify(person())}\n]\n`),
};

const account = (platform: string, handle: string, followers: number) => ({
  ...{ platform, handle, followers },
  updated_at: '2026-01-31',
});
const ofNew = { defaults: { country: 'Unknown' } };
const norwegian = { country: 'Norway', languages: ['Norwegian'], categories: ['music'] };
const updated = { created: 1, updated: 0, unchanged: 0, removed: 0, reasons: [], removed_lines: [] };

/** What each command sends. */
const sent: Readonly<Record<string, readonly object[]>> = {
  'handles.csv': [
    { name: '@ada_example', ...ofNew, platforms: [account('instagram', '@ada_example', 0)] },
    { name: 'bob.example', ...ofNew, platforms: [account('instagram', 'bob.example', 0)] },
  ],
  'links.csv': [
    { name: 'Ada', ...norwegian, platforms: [account('youtube', 'https://www.youtube.com/@ada', 1_200_000)] },
    { name: 'Bob', ...norwegian, platforms: [account('youtube', 'youtube.com/c/bob', 37)] },
  ],
  'youtubers.csv': [
    {
      name: 'Zoë',
      ...ofNew,
      categories: ['Music'],
      platforms: [account('youtube', '@zoe', 1_200_000)],
    },
    {
      name: 'Cyd',
      country: 'Peru',
      categories: ['Art', 'Food'],
      platforms: [account('youtube', '@cyd', 1_678)],
    },
  ],
  'counts.csv': [{ platforms: [account('tiktok', '@ada', 1_200)] }],
  'list.xlsx': [
    {
      ...{ name: 'Ada & Bob', country: 'Norway', languages: ['Norwegian', 'English'], categories: [] },
      platforms: ['instagram', 'tiktok'].map((on, at) =>
        account(on, '100012345678', [1_200, 3_400_000][at] ?? 0),
      ),
    },
  ],
  'latest-all.json.gz': [{ slug: 'ada-example-q4242', name: 'Ada Example' }],
};
/** Lines that are rejected before that. */
const rejected: Readonly<Record<string, number>> = { 'handles.csv': 1, 'youtubers.csv': 1, 'list.xlsx': 1 };

const guide = readFileSync('docs/importing.md', 'utf8').replaceAll('\\\n', '');
const commands = [...guide.matchAll(/^npm run cli -- (creators import(?:-wikidata)? (\w\S*\.\S+) ?.*)$/gm)];

describe('docs/importing.md has one command for', () => {
  const directory = mkdtempSync(join(tmpdir(), 'importing-'));
  const api = ScriptedAdminApi.forTests();
  afterAll(() => rmSync(directory, { recursive: true }));

  it('each of the lists', () => {
    expect(commands.map(([, , file]) => file)).toEqual(Object.keys(files));
  });

  it.each(commands.map(([, command = '', file = '']) => [file, command]))('%s', async (file, command) => {
    writeFileSync(join(directory, file), files[file] ?? '');
    const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
    const received = sent[file]?.length ?? 0;
    api.answers = [reply(200, { received, ...updated, rejected: 0, errors: [] })];
    const { stdout, stderr, code } = await api.cli(words, undefined, directory);
    const records = (api.seen[0]?.body.split('\n') ?? []).filter((line) => line !== '');
    expect(records.map((line) => JSON.parse(line) as unknown)).toMatchObject(sent[file] ?? []);
    const failed = rejected[file] ?? 0;
    expect([code, stdout]).toEqual([failed && 1, expect.stringContaining(`${received + failed} line`)]);
    expect(stderr.includes('Windows-1252')).toBe(file === 'youtubers.csv');
  });
});

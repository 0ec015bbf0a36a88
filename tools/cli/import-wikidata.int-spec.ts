import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { reply, ScriptedAdminApi } from './cli.fixture.js';
import { person } from './wikidata/item.fixture.js';

describe('creators import-wikidata', () => {
  const directory = mkdtempSync(join(tmpdir(), 'wikidata-'));
  const api = ScriptedAdminApi.forTests();
  afterAll(() => rmSync(directory, { recursive: true }));

  /** A dump of `people` persons, a film with counts and a property. */
  function dumpOf(people: number): string {
    const items = [
      ...Array.from({ length: people }, (_, n) => ({ ...person(), id: `Q${n + 1}` })),
      person({ P31: [] }),
      { type: 'property', id: 'P8687', labels: {}, claims: {} },
    ];
    const file = join(directory, `${people}.json.gz`);
    writeFileSync(file, gzipSync(`[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`));
    return file;
  }

  it('imports the creators of a dump and shows the report', async () => {
    const errors = [{ line: 3, error: 'name must be shorter' }];
    const report = { received: 3, created: 2, updated: 0, unchanged: 0, rejected: 1, errors, reasons: [] };
    api.answers = [reply(200, report)];
    const { code, stdout, stderr } = await api.cli(['--json', 'creators', 'import-wikidata', dumpOf(3)]);
    expect(api.seen.map(({ call, body }) => [call, body.trim().split('\n').length])).toEqual([
      ['POST /creators/import?mode=replace&file=3.json.gz', 3],
    ]);
    expect([code, JSON.parse(stdout)]).toEqual([1, report]);
    expect(stderr).toMatch(/^5 items in .*: 3 creators\n[^]* list +1\n[^]*1 line was rejected/);
  });

  it('prints the same records on each run, and imports nothing', async () => {
    const run = () => api.cli(['creators', 'import-wikidata', dumpOf(2), '--print']);
    const { code, stdout, stderr } = await run();
    const slugs = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { slug: string }).slug);
    expect([code, slugs]).toEqual([0, ['ada-example-q1', 'ada-example-q2']]);
    expect(stderr).toMatch(/^4 items in .*: 2 creators\n/);
    expect((await run()).stdout).toBe(stdout);
    expect(api.seen).toEqual([]);
  });

  it('takes the tables of the operator instead of its own, and says what is wrong with them', async () => {
    const printWith = (countries: string) => {
      writeFileSync(join(directory, 'countries.json'), countries);
      return api.cli(['creators', 'import-wikidata', dumpOf(1), '--print', '--tables', directory]);
    };
    expect(JSON.parse((await printWith('{"Q20": "Norge"}')).stdout)).toMatchObject({ country: 'Norge' });
    expect((await printWith('{"Norway": "Q20"}')).stderr).toContain('must be the id of an item');
    expect((await printWith('[]')).stderr).toContain('must be a JSON object');
    expect((await printWith('{')).stderr).toContain("can't be read");
  });
});

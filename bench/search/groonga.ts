import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { platforms } from '@app/contracts';
import { type DataSource } from 'typeorm';
import { toCriteria } from '../../apps/catalog/src/search/search.controller.js';
import { type Engine } from './measure.js';

const schema = [
  'table_create Countries TABLE_PAT_KEY ShortText',
  'table_create Categories TABLE_PAT_KEY ShortText',
  'table_create Languages TABLE_PAT_KEY ShortText',
  'table_create Terms TABLE_PAT_KEY ShortText --default_tokenizer TokenBigramSplitSymbolAlphaDigit',
  'table_create Counts TABLE_PAT_KEY Int64',
  'table_create Creators TABLE_HASH_KEY ShortText',
  'column_create Creators text COLUMN_SCALAR LongText',
  'column_create Creators country COLUMN_SCALAR Countries',
  'column_create Creators categories COLUMN_VECTOR Categories',
  'column_create Creators languages COLUMN_VECTOR Languages',
  'column_create Creators updated COLUMN_SCALAR Int64',
  'column_create Creators entry COLUMN_SCALAR LongText',
  ...['total', ...platforms].map((name) => `column_create Creators ${name} COLUMN_SCALAR Counts`),
  'column_create Terms of_text COLUMN_INDEX|WITH_POSITION Creators text',
  'column_create Countries of_country COLUMN_INDEX Creators country',
  'column_create Categories of_category COLUMN_INDEX Creators categories',
  'column_create Languages of_language COLUMN_INDEX Creators languages',
  ...['total', ...platforms].map((name) => `column_create Counts of_${name} COLUMN_INDEX Creators ${name}`),
];

interface Row {
  readonly slug: string;
  readonly document: object;
}

/** Groonga, an engine with exact totals and n-grams of every script, as a process of its own; `null` when it is not installed. */
export async function openGroonga(dataSource: DataSource): Promise<(Engine & { close(): void }) | null> {
  if (spawnSync('groonga', ['--version']).error) return null;
  const directory = mkdtempSync(join(tmpdir(), 'groonga-'));
  const groonga = spawn('groonga', ['-n', join(directory, 'database')]);
  const ask = asker(groonga);
  for (const command of schema) await ask(command);
  for await (const rows of publishedRows(dataSource)) {
    await ask(`load --table Creators --values ${JSON.stringify(JSON.stringify(rows))}`);
  }
  return {
    name: 'groonga',
    async search(request) {
      const { words, country, category, language, platform, minFollowers, maxFollowers, limit } =
        toCriteria(request);
      const count = platform ?? 'total';
      const conditions = [
        ...words.map((word) => `text @ ${quoted(word)}`),
        ...(country === undefined ? [] : [`country == ${quoted(country)}`]),
        ...(category === undefined ? [] : [`categories @ ${quoted(category)}`]),
        ...(language === undefined ? [] : [`languages @ ${quoted(language)}`]),
        ...(platform === undefined && minFollowers === undefined ? [] : [`${count} >= ${minFollowers ?? 0}`]),
        ...(maxFollowers === undefined ? [] : [`${count} <= ${maxFollowers}`]),
      ];
      const filter =
        conditions.length === 0 ? '' : `--filter '${conditions.join(' && ').replaceAll("'", "\\'")}'`;
      const answer = await ask(
        `select Creators ${filter} --sort_keys -updated,_key --limit ${limit} --output_columns entry`,
      );
      return (JSON.parse(answer) as [unknown, [[[number]]]])[1][0][0][0];
    },
    close() {
      groonga.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** One command a line, one answer a line. */
function asker(groonga: ChildProcessWithoutNullStreams): (command: string) => Promise<string> {
  const lines = createInterface({ input: groonga.stdout });
  return async (command) => {
    const answered = once(lines, 'line') as Promise<[string]>;
    groonga.stdin.write(`${command}\n`);
    const [answer] = await answered;
    if (!answer.startsWith('[[0,')) {
      throw new Error(`groonga: ${command.slice(0, 200)}: ${answer.slice(0, 300)}`);
    }
    return answer;
  };
}

async function* publishedRows(dataSource: DataSource): AsyncGenerator<object[]> {
  let after = '';
  for (;;) {
    const rows = await dataSource.query<Row[]>(
      `SELECT slug, json_build_object('_key', slug, 'text', search_text, 'country', folded_country,
         'categories', folded_categories, 'languages', folded_languages,
         'updated', coalesce(extract(epoch FROM newest_updated_at) * 1000, -1)::bigint, 'entry', platforms::text,
         'total', total_reach, ${platforms.map((name) => `'${name}', coalesce(${name}_followers, -1)`).join(', ')}
       ) AS document FROM creators WHERE published AND slug > $1 ORDER BY slug LIMIT 1000`,
      [after],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ document }) => document);
    after = last.slug;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

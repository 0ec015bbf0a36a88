import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { Random } from '../tools/generator/random.js';
import { readOptions } from './read-options.js';

/**
 * Items a second and memory of `creators import-wikidata --print` on a generated dump, which is streamed into it and not
 * stored: items as large as those of Wikidata on average (13 KB), most without follower counts.
 */
const given = readOptions('wikidata', {
  gigabytes: { type: 'string', default: '2.5' },
  counted: { type: 'string', default: '0.01' },
  formats: { type: 'string', default: 'plain,gzip' },
  json: { type: 'string' },
});
const bytesMin = Number(given.gigabytes) * 1e9;
const itemsOfSample = 2_000;
const cli = join(import.meta.dirname, '../../tools/tools/cli/main.js');

/** Compressed samples one after the other are a valid file of each format. */
const compress: Readonly<Record<string, (sample: Buffer) => Buffer>> = {
  plain: (sample) => sample,
  gzip: (sample) => gzipSync(sample),
  bzip2: (sample) => spawnSync('bzip2', ['-c'], { input: sample, maxBuffer: sample.length }).stdout,
};

const languages = Array.from({ length: 60 }, (_, n) => `l${n}`);
const syllables = ['an', 'bel', 'cor', 'da', 'él', 'fir', 'gu', 'ho', 'ın', 'ja', 'kö', 'lu', 'mi', 'nor'];

function word(random: Random): string {
  return Array.from({ length: 2 + random.below(4) }, () => random.pick(syllables)).join('');
}

function texts(random: Random, count: number): Record<string, unknown> {
  const chosen = ['en', ...random.sample(languages, count)];
  return Object.fromEntries(
    chosen.map((language) => [
      language,
      { language, value: `${word(random)} ${word(random)} ${word(random)}` },
    ]),
  );
}

function hex(random: Random): string {
  return Array.from({ length: 5 }, () =>
    random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
}

interface Snak {
  readonly property: string;
  readonly value: unknown;
}

function snak(random: Random, { property, value }: Snak): Record<string, unknown> {
  const type = typeof value === 'string' ? 'string' : 'other';
  return { snaktype: 'value', property, hash: hex(random), datavalue: { value, type }, datatype: type };
}

function item(id: number): {
  readonly 'entity-type': string;
  readonly 'numeric-id': number;
  readonly id: string;
} {
  return { 'entity-type': 'item', 'numeric-id': id, id: `Q${id}` };
}

/** A statement with a reference, as most have one. */
function statement(random: Random, main: Snak, qualifiers: readonly Snak[] = []): Record<string, unknown> {
  const reference = { property: 'P143', value: item(328) };
  return {
    mainsnak: snak(random, main),
    type: 'statement',
    id: `Q1$${hex(random)}`,
    rank: 'normal',
    qualifiers: Object.fromEntries(
      qualifiers.map((qualifier) => [qualifier.property, [snak(random, qualifier)]]),
    ),
    references: [{ hash: hex(random), snaks: { P143: [snak(random, reference)] }, 'snaks-order': ['P143'] }],
  };
}

function line(random: Random, index: number, counted: boolean): string {
  const claims: Record<string, unknown[]> = { P31: [statement(random, { property: 'P31', value: item(5) })] };
  const size = counted ? 60 : 1 + random.below(30);
  for (let n = 0; n < size; n += 1) {
    const property = `P${100 + random.below(13_000)}`;
    claims[property] = [
      statement(random, { property, value: random.chance(0.5) ? item(random.below(1e8)) : word(random) }),
    ];
  }
  if (counted) {
    const account = { property: 'P2003', value: `name${index}` };
    claims.P2003 = [statement(random, account)];
    claims.P27 = [statement(random, { property: 'P27', value: item(20) })];
    claims.P8687 = Array.from({ length: 8 }, (_, n) => {
      const at = { time: `+202${n % 5}-05-01T00:00:00Z`, precision: 11 };
      const amount = { amount: `+${1_000 + n}`, unit: '1' };
      return statement(random, { property: 'P8687', value: amount }, [
        account,
        { property: 'P585', value: at },
      ]);
    });
  }
  const [labels, descriptions] = [texts(random, random.below(20)), texts(random, random.below(50))];
  return JSON.stringify({
    type: 'item',
    id: `Q${index}`,
    labels,
    descriptions,
    aliases: {},
    claims,
    sitelinks: {},
  });
}

function makeSample(): Buffer {
  const random = new Random(1, 1);
  const every = Math.round(1 / Number(given.counted));
  const lines = Array.from({ length: itemsOfSample }, (_, n) => `${line(random, n + 1, n % every === 0)},\n`);
  return Buffer.from(lines.join(''));
}

function* repeated(piece: Buffer, times: number): Generator<Buffer> {
  for (let n = 0; n < times; n += 1) yield piece;
}

async function measure(format: string, sample: Buffer) {
  const compressed = compress[format]?.(sample);
  if (!compressed) throw new Error(`There is no format ${format}.`);
  const times = Math.ceil(bytesMin / sample.length);
  const run = spawn(process.execPath, [cli, 'creators', 'import-wikidata', '-', '--print'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const [report] = await Promise.all([
    text(run.stderr),
    once(run, 'close'),
    pipeline(repeated(compressed, times), run.stdin),
  ]);
  const gigabytes = (times * sample.length) / 1e9;
  const expected = Math.round(times * itemsOfSample * Number(given.counted));
  if (figure(report, /^ {2}creators +([\d,]+)/m) !== expected) {
    throw new Error(`Not all creators were found:\n${report}`);
  }
  const itemsPerSecond = figure(report, /\(([\d,]+) items\/s, /);
  const megabytesPerSecond = Math.round((itemsPerSecond * sample.length) / itemsOfSample / 1e6);
  const memory = /at most ([\d.]+ \w+)/.exec(report)?.[1] ?? '';
  process.stdout.write(
    `${format.padEnd(6)} ${gigabytes.toFixed(2)} GB: ${itemsPerSecond} items/s, ${megabytesPerSecond} MB/s, ${memory}\n`,
  );
  return { format, gigabytes, creators: expected, itemsPerSecond, megabytesPerSecond, memory };
}

function figure(report: string, pattern: RegExp): number {
  return Number(pattern.exec(report)?.[1]?.replaceAll(',', ''));
}

const sample = makeSample();
process.stdout.write(`${Math.round(sample.length / itemsOfSample)} bytes per item\n`);
const rows = [];
for (const format of given.formats.split(',')) rows.push(await measure(format, sample));
if (given.json) writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);

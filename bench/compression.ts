import { readFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { type CreatorRecord } from '@app/contracts';
import { EntryWriter, writeRecord } from '@app/creator-index';
import { generateCreators } from '../tools/generator/generate-creators.js';
import { zstdCompress } from '../apps/gateway/src/compression/zstd.js';
import { percentile } from './percentile.js';
import { readOptions } from './read-options.js';

/**
 * What it costs to compress pages of creators, and what it saves: each encoding and level, in one run, rounds alternating.
 * Prints bytes and the median of CPU milliseconds.
 */
const given = readOptions('compression', {
  creators: { type: 'string', default: '2000' },
  file: { type: 'string' },
  rounds: { type: 'string', default: '200' },
});
const pageSizes = [5, 10, 50, 100];

interface Variant {
  readonly name: string;
  readonly compress: (bytes: Buffer) => Buffer;
}

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = zlib.constants;

function brotli(level: number): Variant {
  return {
    name: `br ${level}`,
    compress: (bytes) =>
      zlib.brotliCompressSync(bytes, {
        params: {
          [BROTLI_PARAM_QUALITY]: level,
          [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
          [BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
  };
}

function zstd(): Variant[] {
  const compress = zstdCompress;
  if (compress === undefined) return [];
  return [1, 3, 6].map((level) => ({ name: `zstd ${level}`, compress: (bytes) => compress(bytes, level) }));
}

const variants: readonly Variant[] = [
  ...[1, 3, 6].map((level) => ({
    name: `gzip ${level}`,
    compress: (bytes: Buffer) => zlib.gzipSync(bytes, { level }),
  })),
  ...[1, 3, 4, 5].map(brotli),
  ...zstd(),
];

function records(): CreatorRecord[] {
  const count = Number(given.creators);
  if (given.file === undefined) return [...generateCreators({ count, seed: 1 })];
  const lines = readFileSync(given.file, 'utf8').trimEnd().split('\n').slice(0, count);
  return lines.map((line) => JSON.parse(line) as CreatorRecord);
}

function pages(size: number): Buffer[] {
  const writer = new EntryWriter('https://creators.example');
  const entries = records().map(({ slug, name, country, platforms }) =>
    writer.entry(
      writeRecord({
        slug,
        name,
        country,
        reach: platforms.reduce((sum, { followers }) => sum + followers, 0),
        accounts: platforms.map(({ platform, handle, url, followers }) => ({
          platform,
          handle,
          url: url ?? '',
          followers,
        })),
      }),
    ),
  );
  const made: Buffer[] = [];
  for (let at = 0; at + size <= entries.length; at += size) {
    const head = { total: entries.length, returned: size, credits_used: 1, credits_remaining: 49 };
    const text = `${JSON.stringify(head).slice(0, -1)},"creators":[${entries.slice(at, at + size).join()}]}`;
    made.push(Buffer.from(text));
  }
  return made;
}

function measure(size: number): void {
  const all = pages(size);
  const times = new Map(variants.map(({ name }) => [name, [] as number[]]));
  const bytes = new Map(variants.map(({ name }) => [name, 0]));
  let plain = 0;
  for (let round = 0; round < Number(given.rounds); round += 1) {
    const page = all[round % all.length] ?? Buffer.alloc(0);
    plain += page.length;
    for (const { name, compress } of variants) {
      const start = process.cpuUsage();
      const result = compress(page);
      const used = process.cpuUsage(start);
      times.get(name)?.push((used.user + used.system) / 1_000);
      bytes.set(name, (bytes.get(name) ?? 0) + result.length);
    }
  }
  const rounds = Number(given.rounds);
  process.stdout.write(`\n${size} creators, ${Math.round(plain / rounds)} bytes\n`);
  for (const { name } of variants) {
    const length = (bytes.get(name) ?? 0) / rounds;
    const share = Math.round((100 * length * rounds) / plain);
    process.stdout.write(
      `${name.padEnd(8)} ${String(Math.round(length)).padStart(7)} bytes ${String(share).padStart(4)} %  ${percentile(times.get(name) ?? [], 0.5).toFixed(3)} ms\n`,
    );
  }
}

for (const size of pageSizes) measure(size);

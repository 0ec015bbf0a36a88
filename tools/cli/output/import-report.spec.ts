import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ImportProgress, progressText } from './import-report.js';

describe('progressText', () => {
  it('draws a bar when the size is known', () => {
    const figures = { bytes: 3 * 1024 ** 2, size: 6 * 1024 ** 2, lines: 12_000, elapsedMs: 1_000 };
    expect(progressText(figures)).toBe(
      '[############------------]  50%  12,000 lines  3.0 MiB of 6.0 MiB  12,000 lines/s',
    );
  });

  it('counts when the size is not known', () => {
    expect(progressText({ bytes: 2_048, lines: 10, elapsedMs: 2_000 })).toBe('10 lines  2.0 KiB  5 lines/s');
  });

  it('never goes above 100 %, even when the file grew', () => {
    expect(progressText({ bytes: 30, size: 20, lines: 1, elapsedMs: 1_000 })).toContain('100%');
  });
});

describe('ImportProgress', () => {
  it('passes every byte on and draws nothing for a short import', async () => {
    const stderr = new PassThrough();
    const progress = new ImportProgress(stderr, 8);
    const passed: Uint8Array[] = [];
    const file = progress.watchFile(pieces('{"a"', ':1}\n'));
    for await (const bytes of progress.watchLines(file)) passed.push(bytes);
    progress.stop();
    stderr.end();
    expect(Buffer.concat(passed).toString()).toBe('{"a":1}\n');
    expect(await text(stderr)).toBe('');
  });
});

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const piece of texts) yield await Promise.resolve(Buffer.from(piece));
}

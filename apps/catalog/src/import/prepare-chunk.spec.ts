import fc from 'fast-check';
import { recordOf } from '../creators/creator-records.fixture.js';
import { prepareChunk } from './prepare-chunk.js';

const now = new Date('2024-06-01T12:00:00Z');
const parse = (text: string | Buffer, firstLine = 1) =>
  prepareChunk(Buffer.from(text), firstLine, now, { mode: 'replace', move_accounts: false });
const line = (slug: string) => JSON.stringify(recordOf(slug));

describe('a chunk', () => {
  it.each(['[', '{"a":'])('reads a line of a million %s without harm', (piece) => {
    const { lines, errors } = parse(`${piece.repeat(1_000_000)}\n${line('a')}`);
    expect(errors).toEqual([{ line: 1, error: 'the line must not be nested more than 20 levels deep' }]);
    expect(lines).toHaveLength(1);
  });
});

describe('the lines of a file', () => {
  const kinds = ['record', 'record', 'bad', 'broken', ''] as const;
  const ends = ['\n', '\n', '\r\n'] as const;
  const fileLine = fc.record({ kind: fc.constantFrom(...kinds), end: fc.constantFrom(...ends) });

  /** Multi-byte texts, so that nothing counts characters where it should count bytes. */
  const textOf = (kind: (typeof kinds)[number], at: number): Buffer => {
    if (kind === 'record') return Buffer.from(JSON.stringify(recordOf(`s-${at}`, { name: `하늘 ${at} 👩🏽‍🍳` })));
    return kind === 'broken' ? Buffer.from([0x22, 0xff, 0x22]) : Buffer.from(kind);
  };
  const join = (lines: readonly Buffer[]) => Buffer.concat([...lines]);

  it('keep their numbers and errors, whatever their line ends and wherever the file is cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fileLine, { maxLength: 30 }),
        fc.array(fc.nat(30), { maxLength: 5 }),
        fc.boolean(),
        (file, cuts, lastHasEnd) => {
          const lines = file.map(({ kind, end }, at) => {
            const isLast = at === file.length - 1;
            return join([textOf(kind, at), Buffer.from(isLast && !lastHasEnd ? '' : end)]);
          });
          const starts = [...new Set([0, ...cuts.filter((cut) => cut < lines.length)])].sort((a, b) => a - b);
          const chunks = starts.map((start, at) =>
            parse(join(lines.slice(start, starts[at + 1] ?? lines.length)), start + 1),
          );
          const numbered = file.map(({ kind }, at) => ({ kind, line: at + 1, slug: `s-${at}` }));
          expect(chunks.flatMap(({ lines: read }) => read.map((each) => [each.line, each.slug]))).toEqual(
            numbered.filter(({ kind }) => kind === 'record').map(({ line: number, slug }) => [number, slug]),
          );
          expect(chunks.flatMap(({ errors }) => errors)).toEqual(
            numbered
              .filter(({ kind }) => kind === 'bad' || kind === 'broken')
              .map(({ kind, line: number }) => ({
                line: number,
                error: `the line is not valid ${kind === 'bad' ? 'JSON' : 'UTF-8'}`,
              })),
          );
          expect(chunks.reduce((sum, { received }) => sum + received, 0)).toBe(
            file.filter(({ kind }) => kind !== '').length,
          );
        },
      ),
    );
  });
});

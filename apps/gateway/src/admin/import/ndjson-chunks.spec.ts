import * as fc from 'fast-check';
import { NdjsonChunker, type NdjsonLimits, type NdjsonPart } from './ndjson-chunks.js';

function cut(pieces: Buffer[], limits: NdjsonLimits): NdjsonPart[] {
  const chunker = new NdjsonChunker(limits);
  return [...pieces.flatMap((piece) => [...chunker.push(piece)]), ...chunker.end()];
}

/** Written apart from the chunker: the lines of a text, each with its line end. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines = bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.map((line) => Buffer.from(line, 'latin1'));
}

function split(bytes: Buffer, cuts: number[]): Buffer[] {
  const at = [0, ...cuts.map((position) => position % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const bytes = fc
  .array(fc.constantFrom(10, 10, 13, 0x61, 0x7b, 0xff), { maxLength: 120 })
  .map((list) => Buffer.from(list));
const limits = fc.record({
  linesMax: fc.integer({ min: 1, max: 5 }),
  bytesMax: fc.integer({ min: 1, max: 20 }),
});
const cuts = fc.array(fc.nat(), { maxLength: 12 });

it('an import keeps every line that fits, in order, under its number, and names every line that does not', () => {
  fc.assert(
    fc.property(bytes, cuts, limits, (input, where, bounds) => {
      const seen = new Map<number, Buffer | 'too long'>();
      let next = 1;
      for (const part of cut(split(input, where), bounds)) {
        if (part.kind === 'line_too_long') {
          expect(part.line).toBe(next);
          seen.set(next, 'too long');
          next += 1;
          continue;
        }
        expect(part.firstLine).toBe(next);
        const lines = linesOf(part.bytes);
        expect(part.lines).toBeGreaterThan(0);
        expect(part.lines).toBeLessThanOrEqual(bounds.linesMax);
        expect(part.bytes.length).toBeLessThanOrEqual(bounds.bytesMax);
        expect(lines).toHaveLength(part.lines);
        lines.forEach((line, index) => seen.set(part.firstLine + index, line));
        next += part.lines;
      }
      const expected = linesOf(input).map((line) => (line.length > bounds.bytesMax ? 'too long' : line));
      expect([...seen.values()]).toEqual(expected);
    }),
  );
});

it('a chunk is kept untouched by what comes after', () => {
  const chunker = new NdjsonChunker({ linesMax: 1, bytesMax: 8 });
  const [first] = [...chunker.push(Buffer.from('one\n'))];
  expect([...chunker.push(Buffer.from('two\n'))]).toHaveLength(1);
  expect(first).toMatchObject({ bytes: Buffer.from('one\n') });
});

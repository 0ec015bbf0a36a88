import { expectEqual } from '#testing/random';
import fc from 'fast-check';
import { randomDocuments } from '../documents/random-documents.fixture.js';
import { bitmapWords, listBits } from '../postings/document-set.js';
import { collectFrequentWords, frequentFrom, markKnown } from './frequent-words.js';

function collect(texts: readonly string[]): ReturnType<typeof collectFrequentWords> {
  const parts = texts.map((text) => Buffer.from(text));
  const offsets = new Uint32Array(parts.length + 1);
  parts.forEach(({ length }, index) => (offsets[index + 1] = (offsets[index] ?? 0) + length));
  return collectFrequentWords({ offsets, bytes: Buffer.concat(parts) });
}

function known(words: ReturnType<typeof collectFrequentWords>, sought: string, documents: number): number[] {
  const bitmap = new Uint32Array(bitmapWords(documents));
  markKnown(words, Buffer.from(sought), bitmap);
  const list = new Uint16Array(documents);
  return [...list.subarray(0, listBits(bitmap, list))];
}

describe('frequent words', () => {
  const texts = randomDocuments(2_000, 21).map(({ text }) => text);
  const collected = collect(texts);
  const documentsOf = new Map<string, number[]>();
  texts.forEach((text, document) => {
    for (const word of new Set(text.match(/[a-z\u0080-\uffff]+/g))) {
      if (Buffer.byteLength(word) < 4) continue;
      documentsOf.set(word, [...(documentsOf.get(word) ?? []), document]);
    }
  });
  const frequent = [...documentsOf].filter(([, documents]) => documents.length >= frequentFrom);

  it('give the documents with a frequent word that contains what is sought, and no others', () => {
    expect(frequent.length).toBeGreaterThan(20);
    const sought = fc
      .tuple(fc.constantFrom(...documentsOf.keys()), fc.nat(8), fc.nat(8))
      .map(([word, from, length]) => [...word].slice(from, from + 2 + length).join(''))
      .filter((piece) => Buffer.byteLength(piece) >= 4);
    fc.assert(
      fc.property(sought, (piece) => {
        const expected = frequent.flatMap(([word, documents]) => (word.includes(piece) ? documents : []));
        expectEqual(
          known(collected, piece, texts.length),
          [...new Set(expected)].sort((one, other) => one - other),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are not those of fewer documents', () => {
    const few = Array.from({ length: frequentFrom - 1 }, () => 'mira');
    expect(known(collect(few), 'mira', few.length)).toEqual([]);
    expect(known(collect([...few, 'mira']), 'mira', frequentFrom)).toHaveLength(frequentFrom);
  });

  it('are parts of handles too', () => {
    const texts = Array.from(
      { length: frequentFrom },
      (_, index) => `x\nthe.official_${index}solenne${index}`,
    );
    expect(known(collect(texts), 'solenn', texts.length)).toHaveLength(frequentFrom);
    expect(known(collect(texts), 'official', texts.length)).toHaveLength(frequentFrom);
    expect(known(collect(texts), '.official', texts.length)).toEqual([]);
  });
});

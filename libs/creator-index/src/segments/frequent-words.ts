import { lowerBound, setBit } from '../postings/document-set.js';
import { type JoinedTexts } from './sections.js';

/** The words that many documents of a segment have, mostly first names, with their documents. */
export interface FrequentWords {
  /** The words in order, each followed by a line feed. */
  readonly bytes: Uint8Array;
  /** Where each word begins in `bytes`. */
  readonly starts: Uint32Array;
  /** Where each ending of each word begins in `bytes`, in the order of the endings. */
  readonly endings: Uint32Array;
  /** Where the documents of each word begin in `documents`, and their end. */
  readonly documentStarts: Uint32Array;
  readonly documents: Uint16Array;
}

/** The texts of fewer documents are read as fast. */
export const frequentFrom = 16;

/** Letters of a folded text as bytes: digits, dots and underscores of handles separate words. Shorter words are grams. */
const wordPattern = /[a-z\x80-\xff]{4,}/g;
const endingLengthMin = 4;

/** Texts are read as one character per byte, so that strings have the order of the bytes. */
export function collectFrequentWords({ offsets, bytes }: JoinedTexts): FrequentWords {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const lists = new Map<string, number[]>();
  for (let document = 0; document + 1 < offsets.length; document++) {
    for (const word of text.slice(offsets[document], offsets[document + 1]).match(wordPattern) ?? []) {
      const list = lists.get(word);
      if (list === undefined) lists.set(word, [document]);
      else if (list.at(-1) !== document) list.push(document);
    }
  }
  const frequent = [...lists].filter(([, list]) => list.length >= frequentFrom);
  frequent.sort(([one], [other]) => (one < other ? -1 : 1));
  const words = frequent.map(([word]) => word);
  const starts = startsOf(words.map(({ length }) => length + 1));
  return {
    bytes: Buffer.from(words.map((word) => `${word}\n`).join(''), 'latin1'),
    starts: starts.subarray(0, -1),
    endings: endingsOf(words, starts),
    documentStarts: startsOf(frequent.map(([, list]) => list.length)),
    documents: Uint16Array.from(frequent.flatMap(([, list]) => list)),
  };
}

function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, index) => {
    starts[index + 1] = (starts[index] ?? 0) + length;
  });
  return starts;
}

function endingsOf(words: readonly string[], starts: Uint32Array): Uint32Array {
  const endings = words.flatMap((word, number) =>
    Array.from({ length: word.length - endingLengthMin + 1 }, (_, from) => ({
      text: word.slice(from),
      at: (starts[number] ?? 0) + from,
    })),
  );
  endings.sort((one, other) => (one.text < other.text ? -1 : one.text > other.text ? 1 : one.at - other.at));
  return Uint32Array.from(endings, ({ at }) => at);
}

/** Sets the bits of documents that have a frequent word which contains these bytes; others may contain them too. */
export function markKnown(words: FrequentWords, sought: Uint8Array, bitmap: Uint32Array): void {
  const { starts, endings, documentStarts, documents } = words;
  for (let at = firstEnding(words, sought); at < endings.length; at++) {
    const ending = endings[at] ?? 0;
    if (compareStart(words.bytes, ending, sought) !== 0) return;
    const word = lowerBound(starts, ending + 1) - 1;
    const end = documentStarts[word + 1] ?? 0;
    for (let from = documentStarts[word] ?? 0; from < end; from++) setBit(bitmap, documents[from] ?? 0);
  }
}

/** The first ending that does not come before these bytes. */
function firstEnding({ bytes, endings }: FrequentWords, sought: Uint8Array): number {
  let [from, to] = [0, endings.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compareStart(bytes, endings[middle] ?? 0, sought) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Compares as many bytes as are sought; 0 when they are the same. */
function compareStart(bytes: Uint8Array, from: number, sought: Uint8Array): number {
  for (let at = 0; at < sought.length; at++) {
    const difference = (bytes[from + at] ?? 0) - (sought[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

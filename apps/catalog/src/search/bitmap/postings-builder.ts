import { bitmapWords, isSmallerAsList, setBit } from './document-set.js';
import { GramNumbers } from './gram-numbers.js';
import { visitGrams } from './grams.js';

/** The gram postings of a segment, ready to be written. */
export interface Postings {
  /** Ascending. */
  readonly keys: Float64Array;
  /** Where the set of each key begins in `sets`, in units of four bytes. */
  readonly offsets: Uint32Array;
  /** Documents of each key, less one. */
  readonly sizes: Uint16Array;
  readonly sets: Uint32Array;
}

const firstCapacity = 1 << 16;

/** Collects which grams occur in which documents; documents come in their order. */
export class PostingsBuilder {
  private readonly grams = new GramNumbers();
  /** One pair for each gram of each document. */
  private pairs = { gram: new Uint32Array(firstCapacity), document: new Uint16Array(firstCapacity) };
  private pairCount = 0;
  /** The last document of each gram, plus one. */
  private latest = new Uint32Array(firstCapacity);

  add(document: number, text: string): void {
    visitGrams(text, (first, second, third) => {
      const gram = this.grams.numberOf(first, second, third);
      if (gram >= this.latest.length) this.latest = grown(this.latest, Uint32Array);
      if (this.latest[gram] === document + 1) return;
      this.latest[gram] = document + 1;
      if (this.pairCount === this.pairs.gram.length) this.growPairs();
      this.pairs.gram[this.pairCount] = gram;
      this.pairs.document[this.pairCount++] = document;
    });
  }

  build(documents: number): Postings {
    const order = this.grams.sorted();
    const lists = this.listsByGram();
    const sizes = new Uint16Array(order.numbers.length);
    const offsets = new Uint32Array(order.numbers.length);
    let words = 0;
    order.numbers.forEach((gram, position) => {
      const size = (lists.starts[gram + 1] ?? 0) - (lists.starts[gram] ?? 0);
      sizes[position] = size - 1;
      offsets[position] = words;
      words += isSmallerAsList(size, documents) ? (size + 1) >>> 1 : bitmapWords(documents);
    });
    const sets = new Uint32Array(words);
    order.numbers.forEach((gram, position) => {
      const list = lists.documents.subarray(lists.starts[gram], lists.starts[gram + 1]);
      writeSet(sets, offsets[position] ?? 0, list, documents);
    });
    return { keys: order.keys, offsets, sizes, sets };
  }

  /** The documents of each gram beside each other, in their order. */
  private listsByGram(): { starts: Uint32Array; documents: Uint16Array } {
    const { gram, document } = this.pairs;
    const starts = new Uint32Array(this.grams.size + 1);
    for (let pair = 0; pair < this.pairCount; pair++) {
      const after = (gram[pair] ?? 0) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
    for (let index = 1; index < starts.length; index++) {
      starts[index] = (starts[index] ?? 0) + (starts[index - 1] ?? 0);
    }
    const next = starts.slice();
    const documents = new Uint16Array(this.pairCount);
    for (let pair = 0; pair < this.pairCount; pair++) {
      const number = gram[pair] ?? 0;
      const place = next[number] ?? 0;
      documents[place] = document[pair] ?? 0;
      next[number] = place + 1;
    }
    return { starts, documents };
  }

  private growPairs(): void {
    this.pairs = {
      gram: grown(this.pairs.gram, Uint32Array),
      document: grown(this.pairs.document, Uint16Array),
    };
  }
}

/** Writes a sorted list of documents at an offset of four-byte units, in the smaller of its two forms. */
export function writeSet(sets: Uint32Array, offset: number, list: Uint16Array, documents: number): void {
  if (isSmallerAsList(list.length, documents)) {
    new Uint16Array(sets.buffer, sets.byteOffset + offset * 4, list.length).set(list);
    return;
  }
  const bitmap = sets.subarray(offset, offset + bitmapWords(documents));
  for (const document of list) setBit(bitmap, document);
}

function grown<List extends Uint16Array | Uint32Array>(list: List, make: new (length: number) => List): List {
  const longer = new make(list.length * 2);
  longer.set(list);
  return longer;
}

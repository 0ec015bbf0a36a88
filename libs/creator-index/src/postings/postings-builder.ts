import { GramNumbers } from './gram-numbers.js';
import { visitGrams } from './grams.js';
import { packPostings, type Postings } from './postings.js';

const firstCapacity = 1 << 16;

/** Collects which grams occur in which documents; documents must be added in their order. */
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

  build(documentCount: number): Postings {
    const { keys, positions } = this.grams.sorted();
    const { gram, document } = this.pairs;
    const starts = new Uint32Array(keys.length + 1);
    for (let pair = 0; pair < this.pairCount; pair++) {
      const after = (positions[gram[pair] ?? 0] ?? 0) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
    for (let index = 1; index < starts.length; index++) {
      starts[index] = (starts[index] ?? 0) + (starts[index - 1] ?? 0);
    }
    const next = starts.slice();
    const documents = new Uint16Array(this.pairCount);
    for (let pair = 0; pair < this.pairCount; pair++) {
      const position = positions[gram[pair] ?? 0] ?? 0;
      const place = next[position] ?? 0;
      documents[place] = document[pair] ?? 0;
      next[position] = place + 1;
    }
    return packPostings({ keys, starts, documents }, documentCount);
  }

  private growPairs(): void {
    this.pairs = {
      gram: grown(this.pairs.gram, Uint32Array),
      document: grown(this.pairs.document, Uint16Array),
    };
  }
}

function grown<List extends Uint16Array | Uint32Array>(list: List, make: new (length: number) => List): List {
  const longer = new make(list.length * 2);
  longer.set(list);
  return longer;
}

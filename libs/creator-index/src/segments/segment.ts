import {
  columnCount,
  comparePositions,
  type SearchPosition,
  type SortColumn,
} from '../documents/search-document.js';
import { type DocumentSet, hasBit, lowerBound } from '../postings/document-set.js';
import { type FollowerColumn, placesIn } from '../postings/follower-columns.js';
import { readSet } from '../postings/postings.js';
import { type AccountTable } from './account-table.js';
import { Facets } from './facets.js';
import { type FrequentWords } from './frequent-words.js';
import { hashText, lookUpSlug } from './slug-table.js';
import { Sections } from './sections.js';
import { type FacetEntry, section } from './segment-writer.js';

let lastId = 0;

/** Reads a segment in place; documents are numbered in the order of a search, newest first. */
export class Segment {
  /** Unique within this process. */
  readonly id = (lastId += 1);
  readonly size: number;
  readonly columns: readonly FollowerColumn[];
  readonly times: Float64Array;
  private readonly placesBy: Uint16Array[] = [];
  private readonly recordOffsets: Uint32Array;
  private readonly records: Buffer;
  private readonly textOffsets: Uint32Array;
  private readonly texts: Buffer;
  private readonly slugs: Uint16Array;
  /** Ascending. */
  readonly gramKeys: Float64Array;
  private readonly gramOffsets: Uint32Array;
  private readonly gramSizes: Uint16Array;
  private readonly gramSets: Uint32Array;
  readonly accounts: AccountTable;
  readonly words: FrequentWords;
  readonly facets: Facets;

  constructor(readonly buffer: SharedArrayBuffer) {
    const sections = new Sections(buffer);
    this.times = sections.float64(section.times);
    this.size = this.times.length;
    this.recordOffsets = sections.uint32(section.recordOffsets);
    this.records = sections.bytes(section.records);
    this.textOffsets = sections.uint32(section.textOffsets);
    this.texts = sections.bytes(section.texts);
    this.slugs = sections.uint16(section.slugs);
    this.gramKeys = sections.float64(section.gramKeys);
    this.gramOffsets = sections.uint32(section.gramOffsets);
    this.gramSizes = sections.uint16(section.gramSizes);
    this.gramSets = sections.uint32(section.gramSets);
    this.facets = new Facets(
      JSON.parse(sections.bytes(section.facets).toString()) as FacetEntry[],
      sections.uint32(section.facetSets),
      this.size,
    );
    this.accounts = {
      hashes: sections.uint32(section.accountHashes),
      documents: sections.uint16(section.accountDocuments),
    };
    this.words = {
      bytes: sections.bytes(section.wordBytes),
      starts: sections.uint32(section.wordStarts),
      endings: sections.uint32(section.wordEndings),
      documentStarts: sections.uint32(section.wordDocumentStarts),
      documents: sections.uint16(section.wordDocuments),
    };
    this.columns = Array.from({ length: columnCount }, (_, column) => ({
      values: sections.float64(section.columns + column * 3),
      documents: sections.uint16(section.columns + column * 3 + 1),
      marks: sections.uint32(section.columns + column * 3 + 2),
    }));
  }

  /** Bytes of the creators' own data: their records and texts. */
  get contentBytes(): number {
    return this.records.length + this.texts.length;
  }

  /** The documents with this gram; `null` when there are none. */
  documentsWithGram(key: number): DocumentSet | null {
    const position = this.positionOf(key);
    return position < 0 ? null : this.documentsOfGram(position);
  }

  /** The documents with the gram at this position of `gramKeys`. */
  documentsOfGram(position: number): DocumentSet {
    return readSet(this.gramSets, this.gramOffsets[position] ?? 0, this.gramSize(position), this.size);
  }

  /** How many documents have the gram at this position of `gramKeys`. */
  gramSize(position: number): number {
    return (this.gramSizes[position] ?? 0) + 1;
  }

  /**
   * Keeps those of the first `count` documents of a list whose text contains these bytes; returns how many. The texts of
   * the documents in `known` are not read: they do.
   */
  keepByText(list: Uint16Array, count: number, bytes: Buffer, known: Uint32Array): number {
    const { texts, textOffsets } = this;
    const first = bytes[0];
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const document = list[at] ?? 0;
      if (hasBit(known, document)) {
        list[kept++] = document;
        continue;
      }
      const end = (textOffsets[document + 1] ?? 0) - bytes.length;
      for (let from = textOffsets[document] ?? 0; from <= end; from++) {
        if (texts[from] !== first) continue;
        let length = 1;
        while (length < bytes.length && texts[from + length] === bytes[length]) length += 1;
        if (length < bytes.length) continue;
        list[kept++] = document;
        break;
      }
    }
    return kept;
  }

  recordBytes(document: number): Uint8Array {
    return this.records.subarray(this.recordOffsets[document], this.recordOffsets[document + 1]);
  }

  textBytes(document: number): Uint8Array {
    return this.texts.subarray(this.textOffsets[document], this.textOffsets[document + 1]);
  }

  record(document: number): string {
    return this.records.toString('utf8', this.recordOffsets[document], this.recordOffsets[document + 1]);
  }

  slug(document: number): string {
    const start = this.recordOffsets[document] ?? 0;
    const end = this.records.indexOf(lineFeed, start);
    return this.records.toString('latin1', start, end);
  }

  /**
   * The place of each document in the order of a column. Computed in 0.3 ms when a search is first sorted by it, and kept, two
   * bytes a document: a platform that no search sorts by takes no memory.
   */
  places(column: number): Uint16Array {
    return (this.placesBy[column] ??= placesIn(this.column(column), this.size));
  }

  /** The place of the first document after this position in the order of a search; the number of documents when there is none. */
  firstAfter(position: SearchPosition, column: SortColumn): number {
    let [from, to] = [0, column === null ? this.size : this.column(column).documents.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const document = column === null ? middle : this.documentAt(middle, column);
      const found = { value: this.valueOf(document, column), slug: this.slug(document) };
      if (comparePositions(found, position) <= 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** The document at a place in the order of a column. */
  documentAt(place: number, column: number): number {
    const { documents } = this.column(column);
    return documents[documents.length - 1 - place] ?? 0;
  }

  /** What a document is sorted by. */
  valueOf(document: number, column: SortColumn): number {
    if (column === null) return this.times[document] ?? 0;
    const { values } = this.column(column);
    return values[values.length - 1 - (this.places(column)[document] ?? 0)] ?? 0;
  }

  column(number: number): FollowerColumn {
    const column = this.columns[number];
    if (column === undefined) throw new Error(`a segment has no column ${number}`);
    return column;
  }

  /** The document with this slug; -1 without one. */
  find(slug: string, hash = hashText(slug)): number {
    return lookUpSlug(this.slugs, hash, (document) => this.hasSlug(document, slug));
  }

  private hasSlug(document: number, slug: string): boolean {
    const start = this.recordOffsets[document] ?? 0;
    if (this.records[start + slug.length] !== lineFeed) return false;
    return this.records.toString('latin1', start, start + slug.length) === slug;
  }

  private positionOf(key: number): number {
    const position = lowerBound(this.gramKeys, key);
    return this.gramKeys[position] === key ? position : -1;
  }
}

const lineFeed = 0x0a;

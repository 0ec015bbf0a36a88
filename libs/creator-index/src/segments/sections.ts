/** Parts of one buffer, found by their number; each begins at a multiple of 8 bytes. */
export class Sections {
  private readonly table: Uint32Array;

  constructor(readonly buffer: SharedArrayBuffer) {
    const [count = 0] = new Uint32Array(buffer, 0, 1);
    this.table = new Uint32Array(buffer, headerWords * 4, count * 2);
  }

  bytes(section: number): Buffer {
    const { offset, length } = this.place(section);
    return Buffer.from(this.buffer, offset, length);
  }

  uint16(section: number): Uint16Array {
    const { offset, length } = this.place(section);
    return new Uint16Array(this.buffer, offset, length / 2);
  }

  uint32(section: number): Uint32Array {
    const { offset, length } = this.place(section);
    return new Uint32Array(this.buffer, offset, length / 4);
  }

  float64(section: number): Float64Array {
    const { offset, length } = this.place(section);
    return new Float64Array(this.buffer, offset, length / 8);
  }

  private place(section: number): { offset: number; length: number } {
    return { offset: this.table[section * 2] ?? 0, length: this.table[section * 2 + 1] ?? 0 };
  }
}

/** Concatenated texts; one begins at each offset, and the last offset is the end. */
export interface JoinedTexts {
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
}

const headerWords = 2;

/** Joins parts into one buffer, off the heap and readable by every thread. */
export function joinSections(parts: readonly ArrayBufferView[]): SharedArrayBuffer {
  const places: number[] = [];
  let offset = aligned((headerWords + parts.length * 2) * 4);
  for (const { byteLength } of parts) {
    places.push(offset, byteLength);
    offset = aligned(offset + byteLength);
  }
  const buffer = new SharedArrayBuffer(offset);
  new Uint32Array(buffer).set([parts.length, 0, ...places]);
  const target = new Uint8Array(buffer);
  parts.forEach((part, index) => {
    target.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), places[index * 2]);
  });
  return buffer;
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

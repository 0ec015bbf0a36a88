/** A file in pieces that end at these places. */
export async function* piecesOf<Whole extends Buffer | string>(
  whole: Whole,
  cuts: readonly number[] = [],
): AsyncGenerator<Whole> {
  const ends = [...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort((a, b) => a - b);
  for (const [index, end] of ends.entries()) {
    const start = ends[index - 1] ?? 0;
    const piece = typeof whole === 'string' ? whole.slice(start, end) : whole.subarray(start, end);
    yield await Promise.resolve(piece as Whole);
  }
}

/** The anchor of a heading as GitHub makes it: lower case, without punctuation, a hyphen for each space; of a link only its text counts. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/** Numbers the anchors of a page that are the same: the first is `errors`, the next one `errors-1`. */
export class Anchors {
  private readonly counts = new Map<string, number>();

  next(heading: string): string {
    const name = anchorOf(heading);
    const count = this.counts.get(name) ?? 0;
    this.counts.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  }
}

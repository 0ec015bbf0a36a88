const free = 0xffff;

/** Finds documents by slug: an open hash table of document numbers, which are below 65,535. */
export function buildSlugTable(slugs: readonly string[]): Uint16Array {
  let slots = 16;
  while (slots < slugs.length * 2) slots *= 2;
  const table = new Uint16Array(slots).fill(free);
  slugs.forEach((slug, document) => {
    let slot = hashText(slug) & (slots - 1);
    while (table[slot] !== free) slot = (slot + 1) & (slots - 1);
    table[slot] = document;
  });
  return table;
}

/** The document for which `isSlug` holds, among the candidates for this hash; -1 without one. */
export function lookUpSlug(table: Uint16Array, hash: number, isSlug: (document: number) => boolean): number {
  const mask = table.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const document = table[slot] ?? free;
    if (document === free) return -1;
    if (isSlug(document)) return document;
  }
}

/** FNV-1a, mixed so that its low bits are well distributed. 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The items in their order, in batches of at most so many items and so many bytes of JSON; a larger item comes alone. */
export function batchesOf<Item>(
  items: readonly Item[],
  limits: { readonly items: number; readonly bytes: number },
): Item[][] {
  const batches: Item[][] = [];
  let bytesLeft = 0;
  for (const item of items) {
    const bytes = new TextEncoder().encode(JSON.stringify(item)).length + 1;
    const batch = batches.at(-1);
    if (batch && batch.length < limits.items && bytes <= bytesLeft) {
      batch.push(item);
      bytesLeft -= bytes;
    } else {
      batches.push([item]);
      bytesLeft = limits.bytes - bytes;
    }
  }
  return batches;
}

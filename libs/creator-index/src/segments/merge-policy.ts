import { segmentDocumentsMax } from './segment-writer.js';

/** The size of a segment, by which segments to merge are chosen. */
export interface SegmentSize {
  /** Number of documents, including deleted ones. */
  readonly documents: number;
  readonly gone: number;
}

const perTier = 4;

/** How much of a segment may be gone: with memory to spare a document is rewritten less often, without it none is wasted. */
export const deletedShareMax = { usual: 1 / 2, scarce: 1 / 5 };

/**
 * The segments to merge into one, or none. Four of about the same size become one of the next size, so that a document
 * is rewritten only a few times; a segment of which more than this share is gone is rewritten by itself.
 */
export function chooseMerge<Item extends SegmentSize>(
  segments: readonly Item[],
  goneMax = deletedShareMax.usual,
): Item[] {
  const hollow = segments.find(({ documents, gone }) => gone > documents * goneMax);
  if (hollow) return [hollow];
  const tiers = new Map<number, Item[]>();
  for (const segment of segments) {
    const tier = Math.floor(Math.log(Math.max(1, liveOf(segment))) / Math.log(perTier));
    const peers = tiers.get(tier) ?? [];
    peers.push(segment);
    tiers.set(tier, peers);
  }
  for (const [, peers] of [...tiers].sort(([one], [other]) => one - other)) {
    const chosen = upToFull(peers);
    if (chosen.length >= perTier) return chosen;
  }
  return [];
}

function upToFull<Item extends SegmentSize>(peers: readonly Item[]): Item[] {
  const chosen: Item[] = [];
  let live = 0;
  for (const segment of [...peers].sort((one, other) => liveOf(one) - liveOf(other))) {
    live += liveOf(segment);
    if (live > segmentDocumentsMax) break;
    chosen.push(segment);
  }
  return chosen;
}

function liveOf({ documents, gone }: SegmentSize): number {
  return documents - gone;
}

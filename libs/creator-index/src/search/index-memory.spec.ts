import { propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { randomDocuments, slugOf } from '../documents/random-documents.fixture.js';
import { buildSegment } from '../segments/build-segment.js';
import { promptGarbageCollection, useSegment } from '../segments/segment-in-use.js';
import { inThisThread } from '../segments/segment-builder.js';
import { BitmapIndex } from './bitmap-index.js';
import { writer } from './index-history.fixture.js';

const documents = 400;
const everyNumber = Array.from({ length: documents }, (_, number) => number);

function indexWith(roomyBytes: number): BitmapIndex {
  return new BitmapIndex(
    writer,
    inThisThread,
    [useSegment(buildSegment(randomDocuments(documents, 1)))],
    roomyBytes,
  );
}

async function remove(index: BitmapIndex, slugs: readonly string[]): Promise<void> {
  index.apply(slugs.map((slug) => ({ slug, document: null })));
  await index.maintained();
}

describe('the memory of an index', () => {
  it('holds at most a quarter more than is needed, beyond what it may use freely', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(everyNumber, { minLength: documents / 2 }), async (numbers) => {
        const index = indexWith(0);
        for (const number of numbers) await remove(index, [slugOf(number)]);
        expect(index.bytes).toBeLessThanOrEqual(index.bytesNeeded * 1.25 + 1);
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  it('goes back to the system when a segment was replaced: V8 does not count shared buffers by itself', async () => {
    const mebibytes = 8 * 1_024 * 1_024;
    let most = 0;
    for (let replaced = 0; replaced < 100; replaced++) {
      promptGarbageCollection(new SharedArrayBuffer(mebibytes));
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    }
    expect(most).toBeLessThan(50 * mebibytes);
  });
});

import fc from 'fast-check';
import { batchesOf } from './paging.js';

const limits = { items: 3, bytes: 50 };
const bytesOf = (batch: readonly string[]): number => Buffer.byteLength(JSON.stringify(batch)) - 1;

it('keeps all items in their order, within both limits unless an item alone is too large', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 30 })), (items) => {
      const batches = batchesOf(items, limits);
      expect(batches.flat()).toEqual(items);
      for (const batch of batches) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(limits.items);
        expect(batch.length === 1 || bytesOf(batch) <= limits.bytes).toBe(true);
      }
    }),
  );
});

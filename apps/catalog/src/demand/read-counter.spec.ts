import fc from 'fast-check';
import { ReadCounter } from './read-counter.js';

const slugsMax = 5;
const reads = fc.array(fc.oneof(fc.constantFrom(...'abcdefgh'), fc.constant(null)), { maxLength: 200 });

it('counts exactly while it has room, never more than there were, and never has more creators than its bound', () => {
  fc.assert(
    fc.property(reads, (slugs) => {
      const counter = Object.assign(new ReadCounter(), { creatorsMax: slugsMax });
      let since: string[] = [];
      for (const slug of slugs) {
        if (slug !== null) {
          counter.count(slug);
          since.push(slug);
        }
        expect(counter.size).toBe(Math.min(new Set(since).size, slugsMax));
        if (slug !== null) continue;
        const counted = counter.take();
        const first = [...new Set(since)].slice(0, slugsMax);
        expect([...counted]).toEqual(
          first.map((each) => [each, since.filter((other) => other === each).length]),
        );
        since = [];
      }
    }),
  );
});

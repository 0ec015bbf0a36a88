import { expectEqual, propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { type Change, type SearchCriteria, type SearchDocument } from '../documents/search-document.js';
import { criteriaArbitrary, pageNaively, randomDocument } from '../documents/random-documents.fixture.js';
import { settled } from './held-builder.fixture.js';
import { IndexHistory, writer } from './index-history.fixture.js';

const everything: SearchCriteria = { words: [], limit: 100 };

/** A history that counts what happened while a segment was being built. */
class History extends IndexHistory {
  /** How many changes came while a segment was being built. */
  readonly during = { build: 0, merge: 0, failed: 0 };
  /** What has changed since the last revision that was reached. */
  private readonly unreached = new Set<string>();

  protected override record(change: Change): void {
    const { held } = this.builder;
    if (held) this.during[held.kind] += 1;
    this.unreached.add(change.slug);
    super.record(change);
  }

  /** Applies changes again, as a follower whose connection broke before it had reached the revision. */
  applyAgain(): void {
    this.index.apply(
      [...this.unreached].map((name) => ({ slug: name, document: this.published.get(name) ?? null })),
    );
  }

  reached(): void {
    this.unreached.clear();
  }

  put(slug: string, document: SearchDocument | null): void {
    this.apply([{ slug, document }]);
  }

  async fail(): Promise<void> {
    if (this.builder.held) this.during.failed += 1;
    await this.builder.end('fail');
  }

  expectRight(criteria: SearchCriteria): void {
    this.expectSame(criteria);
    this.expectSame(everything);
  }

  expectSame(criteria: SearchCriteria): void {
    const { total, page, next } = pageNaively(this.published.values(), criteria);
    const entries = page.map(({ record }) => Buffer.from(writer.entry(record)));
    expectEqual(this.index.search(criteria), { total, entries, next });
    expectEqual(this.index.documents, this.published.size);
  }

  /** Completes all builds; afterwards everything is in segments. */
  async finish(): Promise<void> {
    // After a failure the next change retries, even an empty one.
    this.index.apply([]);
    await this.builder.endAll();
    this.index.freeze();
    await this.builder.endAll();
    await this.index.maintained();
    const live = this.index.segmentsInUse.map(({ segment, gone }) => segment.size - gone.count);
    expect(live.reduce((sum, count) => sum + count, 0)).toBe(this.published.size);
  }
}

/** One event of a history. */
type Step = (history: History) => void | Promise<void>;

const slugs = Array.from({ length: 24 }, (_, index) => `${['a', 'b-', 'ab', '0'][index % 4]}${index}`);
const slug = fc.oneof(fc.constantFrom(...slugs), fc.constantFrom(...slugs.slice(0, 5)));

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc
    .tuple(slug, fc.option(fc.nat(99_999), { freq: 3 }))
    .map(([name, seed]) => ({ slug: name, document: seed === null ? null : randomDocument(name, seed) })),
  { minLength: 1, maxLength: 6 },
);

/** What happens while the changes of another thread are being added. */
const meanwhiles: readonly Step[] = [
  (history) => history.index.freeze(),
  (history) => history.builder.end('finish'),
  () => undefined,
];

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: changes.map((some): Step => (history) => {
      for (const change of some) history.apply([change]);
    }),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(changes, fc.constantFrom(...meanwhiles)).map(
      ([some, meanwhile]): Step =>
        (history) =>
          history.add(some, () => meanwhile(history)),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>((history) => history.applyAgain()) },
  { weight: 4, arbitrary: fc.constant<Step>((history) => history.reached()) },
  { weight: 4, arbitrary: fc.constant<Step>((history) => history.index.freeze()) },
  { weight: 4, arbitrary: fc.constant<Step>((history) => history.builder.end('finish')) },
  { weight: 1, arbitrary: fc.constant<Step>((history) => history.fail()) },
);

const runs = propertyRuns(12);

it('an index shows every change at once, whatever is being frozen, merged or failing meanwhile', async () => {
  const during = { build: 0, merge: 0, failed: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, criteriaArbitrary), { minLength: 1, maxLength: 90, size: 'max' }),
      async (steps) => {
        const history = new History();
        for (const [run, criteria] of steps) {
          await run(history);
          // Both the state right after the step and the state that follows from it must be right.
          history.expectRight(criteria);
          await settled();
          history.expectRight(criteria);
        }
        await history.finish();
        history.expectRight(everything);
        for (const kind of ['build', 'merge', 'failed'] as const) during[kind] += history.during[kind];
      },
    ),
    { numRuns: runs },
  );
  expect(Math.min(...Object.values(during))).toBeGreaterThan(runs / 2);
}, 60_000);

it('building a segment starts by itself when there are many changes', async () => {
  const history = new History();
  const names = Array.from({ length: 999 }, (_, number) => `c${number}`);
  for (const name of names) history.put(name, randomDocument(name, 1));
  await settled();
  expect(history.builder.held).toBeUndefined();
  history.put('last', randomDocument('last', 1));
  expect(history.builder.held?.kind).toBe('build');
  history.expectSame(everything);
});

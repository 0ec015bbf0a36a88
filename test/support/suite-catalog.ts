import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '#testing';
import { admin, type CreatorRecord, daysFromNow, type PlatformRecord, succeeded } from './admin-api.js';
import { environment } from './environment.js';
import { KeyPool } from './key-pool.js';
import { randomWord } from './random.js';

const removalsAtOnce = 16;
/** The promise of an import: so late may a replica show it. */
const visibleWithinMs = 1_000;
/** A busy machine answers calls of a stack that has just started late, or with a 503. */
const busyMs = 20_000;

/**
 * The creators of one suite in a catalog that other suites use too. `marker` is in their slugs, and no other suite has their
 * `country`: a search for it finds only this suite.
 */
export class SuiteCatalog {
  readonly marker = randomWord();
  readonly country = `Testland ${this.marker}`;
  private readonly slugs = new Set<string>();

  /** One for the tests of a file, removed after them. */
  static forSuite(): SuiteCatalog {
    const catalog = new SuiteCatalog();
    afterAll(() => catalog.remove());
    return catalog;
  }

  /** A plain record of this suite, with what the test wants different. */
  record(name: string, changes: Partial<CreatorRecord> = {}): CreatorRecord {
    return {
      slug: `${this.marker}-${name}`,
      name: `Creator ${name}`,
      country: this.country,
      languages: ['English'],
      verified: true,
      categories: ['fitness'],
      platforms: [this.account()],
      ...changes,
    };
  }

  account(changes: Partial<PlatformRecord> = {}): PlatformRecord {
    return {
      platform: 'youtube',
      handle: randomWord(),
      followers: 1_000,
      updated_at: daysFromNow(-10),
      ...changes,
    };
  }

  /** Imports the records; each has to be accepted. */
  async import(records: readonly CreatorRecord[]): Promise<void> {
    this.adopt(...records.map(({ slug }) => slug));
    const report = succeeded(await admin.importCreators(records));
    if (report.rejected > 0) throw new Error(`import: ${JSON.stringify(report.errors)}`);
  }

  /** Imports, then waits until every replica counts the published creators in this suite's country. */
  async importVisible(records: readonly CreatorRecord[], pool = new KeyPool()): Promise<void> {
    await this.import(records);
    const visible = records.filter(({ published }) => published !== false);
    const expected = visible.filter(({ country }) => country === this.country).length;
    // One search shows the state of one replica, and any replica may answer the next one.
    await wait(visibleWithinMs);
    await eventually(async () => {
      expect((await pool.search({ country: this.country, limit: 1 })).total).toBe(expected);
    }, busyMs);
  }

  /** Has `remove` delete these creators too. */
  adopt(...slugs: string[]): void {
    for (const slug of slugs) this.slugs.add(slug);
  }

  /** Deletes the creators of this suite; the private stack of the end-to-end suites is deleted as a whole. */
  async remove(): Promise<void> {
    if (environment.billingDatabaseUrl !== undefined) return;
    const rest = [...this.slugs];
    const work = async () => {
      for (let slug = rest.pop(); slug !== undefined; slug = rest.pop()) {
        await admin.call('DELETE', `/creators/${slug}`);
      }
    };
    await Promise.all(Array.from({ length: removalsAtOnce }, work));
  }
}

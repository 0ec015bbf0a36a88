import { type ImportRules } from '#contracts';
import { type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type AccountKey } from '../lookup/account-key.js';
import { findKeptOut, type RemovalNotice, slugKey } from './block-list.js';
import { type CreatorContent } from './creator.js';
import { withCurrentSlugs } from './creator-aliases.js';
import { CreatorPlan, type PlanResult } from './creator-plan.js';
import { type CreatorRow, type KnownCreator, rowOf } from './creator-row.js';
import { type Writing } from './writing.js';
import { CreatorsRepository } from './creators.repository.js';
import { type ChunkName, storeCreators } from './store-creators.js';
import { needsContent, type PreparedLine } from './parse-creator-record.js';

/** What earlier lines of the same import were about. */
export interface EarlierLines {
  /** The latest line with each key, and the creator that has it since that line; `null`: no creator has it. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, Claim>>;
  /** Nothing of the import is stored, so that its accounts, new slugs and changed creators are here too. */
  readonly isDryRun: boolean;
}

export interface Claim {
  readonly slug: string | null;
  readonly line: number;
  /** In a dry run, by `changedKey`: the creator as it would be stored now. */
  readonly creator?: KnownCreator | null;
}

/** The key of what an earlier chunk of a dry run would have stored of a creator. */
export function changedKey(slug: string): string {
  return `creator/${slug}`;
}

export interface LinesToStore {
  readonly lines: readonly PreparedLine[];
  /** Default: a record is the whole creator, and accounts don't move. */
  readonly rules?: ImportRules;
  /** The reason why no further creator can be published; `null` and default: there is room. */
  readonly full?: string | null;
  readonly earlier?: EarlierLines;
  /** The chunk of an import that stores them, which can be undone. */
  readonly by?: ChunkName;
  /** Creators that all get a line, so that their accounts may be those of any other of them. */
  readonly released?: ReadonlySet<string>;
  /** Makes rows, where it should not be this thread. */
  readonly rows?: (creators: readonly CreatorContent[]) => Promise<CreatorRow[]>;
}

export interface Outcome extends PlanResult {
  readonly plan: CreatorPlan;
}

const replaceRules: ImportRules = { mode: 'replace', move_accounts: false };
/** More candidates in each round, until enough slugs are free. */
const growth = 10;

/** Decides whose records are, and stores what they change. */
@Injectable()
export class CreatorWriter {
  constructor(private readonly creators: CreatorsRepository) {}

  /** Stores lines under the writer's lock: what was read does not change until the end of the transaction. */
  async store(writing: Writing, lines: LinesToStore): Promise<Outcome> {
    const outcome = await this.compare(writing, lines, writing.removals > 0);
    if (outcome.store.length > 0) await storeCreators(writing, outcome.store, lines.by);
    return outcome;
  }

  /** What storing the lines would do at this moment. Locks nothing. */
  async compare(queryable: Queryable, given: LinesToStore, looksForRemoved = true): Promise<Outcome> {
    const { rules = replaceRules, full = null, earlier } = given;
    const lines = await withCurrentSlugs(queryable, given.lines);
    const keys = lines.flatMap(({ row }) => row.keys);
    const slugs = new Set(lines.flatMap(({ slug }) => slug ?? []));
    const isWhole = needsContent(rules);
    const findKnown = (wanted: readonly string[]) => this.findKnown(queryable, wanted, isWhole, earlier);
    const known = await findKnown([...slugs]);
    const owners = await this.findOwners(queryable, keys, known);
    const others = new Set(owners.values());
    for (const [key, { slug }] of (earlier?.isDryRun && (await earlier.find(keys))) || []) {
      if (slug === null) owners.delete(key);
      else owners.set(key, slug);
    }
    for (const [key, slug] of owners) if (given.released?.has(slug)) owners.delete(key);
    for (const slug of owners.values()) others.add(slug);
    const further = [...others].filter((slug) => !slugs.has(slug));
    for (const [slug, one] of await findKnown(further)) known.set(slug, one);
    // Of an import that stores its lines, only a known creator can have had one that was not refused.
    const claimed = earlier?.isDryRun ? [...slugs, ...further] : [...known.keys()];
    const plan = new CreatorPlan({
      rules,
      owners,
      creators: known,
      claims: (await earlier?.find(claimed.map(slugKey))) ?? new Map<string, Claim>(),
      keptOut: looksForRemoved
        ? await findKeptOut(queryable, [...[...slugs].map(slugKey), ...keys])
        : new Map<string, RemovalNotice>(),
      freeSlugs: await this.findFreeSlugs(queryable, lines, earlier),
      full,
    });
    for (const line of lines) plan.add(line);
    const { withoutRow } = plan;
    const rows = withoutRow.length === 0 ? [] : await (given.rows?.(withoutRow) ?? withoutRow.map(rowOf));
    return { ...plan.finish(rows), plan };
  }

  /** The creators of these slugs; in a dry run as earlier chunks would have left them. */
  private async findKnown(
    queryable: Queryable,
    slugs: readonly string[],
    isWhole: boolean,
    earlier: EarlierLines | undefined,
  ): Promise<Map<string, KnownCreator>> {
    const known = await this.creators.findKnown(queryable, slugs, isWhole);
    const changed = earlier?.isDryRun ? await earlier.find(slugs.map(changedKey)) : new Map<string, Claim>();
    for (const { creator } of changed.values()) if (creator) known.set(creator.slug, creator);
    return known;
  }

  /** The creators that have these accounts. Known ones say which they have; only the other accounts are looked up. */
  private async findOwners(
    queryable: Queryable,
    keys: readonly AccountKey[],
    known: ReadonlyMap<string, KnownCreator>,
  ): Promise<Map<AccountKey, string>> {
    const owners = new Map<AccountKey, string>();
    for (const { slug, account_keys } of known.values()) {
      for (const key of account_keys) owners.set(key, slug);
    }
    const others = keys.filter((key) => !owners.has(key));
    for (const [key, slug] of await this.creators.findOwners(queryable, others)) owners.set(key, slug);
    return owners;
  }

  /**
   * For each slug that is made for lines without one, as many free ones as there are lines: itself, or with a number. The
   * candidates of two made slugs are never the same, as one of them ends in a number that the other one has not.
   */
  private async findFreeSlugs(
    queryable: Queryable,
    lines: readonly PreparedLine[],
    earlier: EarlierLines | undefined,
  ): Promise<Map<string, string[]>> {
    const wanted = new Map<string, number>();
    for (const { slug, madeSlug } of lines) {
      if (slug === null) wanted.set(madeSlug, (wanted.get(madeSlug) ?? 0) + 1);
    }
    const given = new Set(lines.flatMap(({ slug }) => slug ?? []));
    const free = new Map<string, string[]>([...wanted].map(([made]) => [made, []]));
    let [from, to] = [1, 2];
    for (let open = [...wanted]; open.length > 0; [from, to] = [to, to * growth]) {
      const candidates = open.flatMap(([made]) =>
        Array.from({ length: to - from }, (_, at) => {
          const slug = from + at === 1 ? made : `${made}-${from + at}`;
          return { made, slug, isOther: slug !== made && wanted.has(slug) };
        }),
      );
      const slugs = candidates.map(({ slug }) => slug);
      const taken = await this.creators.findTaken(queryable, slugs);
      const claimed =
        (earlier?.isDryRun && (await earlier.find(slugs.map(slugKey)))) || new Map<string, Claim>();
      const isFree = (slug: string): boolean =>
        !given.has(slug) && !taken.has(slug) && !claimed.has(slugKey(slug));
      for (const { made, slug, isOther } of candidates) {
        if (!isOther && isFree(slug)) free.get(made)?.push(slug);
      }
      open = open.filter(([made, count]) => (free.get(made)?.length ?? 0) < count);
    }
    return free;
  }
}

import { duplicateSlug, type ImportLineError, type ImportRules, type ListedLine } from '#contracts';
import { type AccountKey } from '../lookup/account-key.js';
import { keysOfAccount, keysOfAccounts } from '../lookup/creator-account.js';
import { type RemovalNotice, slugKey } from './block-list.js';
import {
  type Creator,
  type CreatorContent,
  mergeCreator,
  type MergedCreator,
  totalReach,
} from './creator.js';
import { contentOf, type CreatorRow, type KnownCreator } from './creator-row.js';
import { type CreatorToStore } from './store-creators.js';
import { needsContent, type PreparedLine } from './parse-creator-record.js';

/** What a plan has to know of the catalog. */
export interface PlanBasis {
  readonly rules: ImportRules;
  /** The creators of the accounts. */
  readonly owners: ReadonlyMap<AccountKey, string>;
  /** With their content, when records are merged or accounts move. */
  readonly creators: ReadonlyMap<string, KnownCreator>;
  /** The lines of the same import that have had a slug, by its key. */
  readonly claims: ReadonlyMap<string, { readonly line: number }>;
  /** By key. */
  readonly keptOut: ReadonlyMap<string, RemovalNotice>;
  /** For each slug that is made of a name: as many free ones as there are lines. */
  readonly freeSlugs: ReadonlyMap<string, readonly string[]>;
  /** The reason why no further creator can be published; `null` while there is room. */
  readonly full: string | null;
}

/** A line that is not stored, as its creator was removed at their request. */
export interface RemovedLineOf extends RemovalNotice {
  readonly line: number;
}

export interface PlanResult {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly store: readonly CreatorToStore[];
  readonly listed: readonly ListedLine[];
}

/** What a creator will be. */
interface Draft {
  readonly known: KnownCreator | undefined;
  readonly keys: readonly AccountKey[];
  readonly published: boolean;
  /** Without a row, one has to be made of the content. */
  readonly row: CreatorRow | null;
  readonly content: () => CreatorContent;
}

/**
 * Decides, line by line, whose record each is and what becomes of it. An account belongs to one creator, before and after
 * every line.
 */
export class CreatorPlan {
  readonly errors: ImportLineError[] = [];
  readonly removed: RemovedLineOf[] = [];
  /** Accounts that records of this chunk have claimed. */
  readonly claimed = new Map<string, number>();
  private readonly owners: Map<AccountKey, string>;
  private readonly drafts = new Map<string, Draft>();
  private readonly taken = new Map<string, number>();
  private readonly accepted: { readonly line: PreparedLine; readonly slug: string }[] = [];

  constructor(private readonly basis: PlanBasis) {
    this.owners = new Map(basis.owners);
  }

  add(line: PreparedLine): void {
    const { rules } = this.basis;
    const owners = [...new Set(line.row.keys.flatMap((key) => this.owners.get(key) ?? []))];
    const slug = line.slug ?? owners[0] ?? this.makeSlug(line.madeSlug);
    const first = rules.mode === 'replace' ? this.claimOf(slug) : undefined;
    const others = owners.filter((owner) => owner !== slug);
    if (first !== undefined) return this.refuse(line, duplicateSlug(slug, first));
    if (others.length > 0 && !rules.move_accounts) {
      return this.refuse(line, this.conflict(line, slug, others));
    }
    const wasClaimed = this.claimOf(slug) !== undefined;
    this.claimed.set(slug, line.line);
    const removal = this.removalOf(line, slug);
    if (removal) return void this.removed.push({ ...removal, line: line.line });
    const before = this.draftOf(slug);
    const draft = this.draft(line, before, wasClaimed);
    if (typeof draft === 'string') return this.refuse(line, draft);
    for (const other of others) this.takeAccounts(other, new Set(line.row.keys));
    this.set(slug, draft);
    this.accepted.push({ line, slug });
  }

  /** The creators of which rows have to be made. */
  get withoutRow(): CreatorContent[] {
    return [...this.drafts.values()].filter(({ row }) => !row).map(({ content }) => content());
  }

  /** `rows`: those of `withoutRow`. */
  finish(rows: readonly CreatorRow[]): PlanResult {
    const made = rows.values();
    const store = [...this.drafts].flatMap(([slug, { known, published, row }]) => {
      const own = row ?? made.next().value;
      if (!own) throw new Error('a creator without a row');
      const isSame = known?.content_hash === own.hash && known.published === published;
      return isSame ? [] : [{ slug, row: own, published, known }];
    });
    const written = new Set(store.map(({ slug }) => slug));
    const seen = new Set<string>();
    const counts = { created: 0, updated: 0, unchanged: 0 };
    const listed: ListedLine[] = [];
    for (const { line, slug } of this.accepted) {
      const isKnown = this.basis.creators.has(slug) || this.basis.claims.has(slugKey(slug));
      const isNew = !isKnown && !seen.has(slug);
      const outcome = isNew ? 'created' : written.has(slug) ? 'updated' : 'unchanged';
      seen.add(slug);
      counts[outcome] += 1;
      if (outcome === 'unchanged') continue;
      const isJoined = outcome === 'updated' && line.slug === null;
      listed.push({ line: line.line, slug, outcome: isJoined ? 'joined' : outcome });
    }
    return { ...counts, store, listed };
  }

  /** The creators that would be stored, as the next chunk of a dry run would find them. */
  changedCreators({ store }: PlanResult): KnownCreator[] {
    const { rules } = this.basis;
    const contentOfDraft = (slug: string) => (needsContent(rules) ? this.drafts.get(slug)?.content() : {});
    return store.map(({ slug, row, published }) => {
      return { ...contentOfDraft(slug), slug, published, content_hash: row.hash, account_keys: row.keys };
    });
  }

  /** The creator that has each account of this chunk, as far as the chunk has been decided; `null`: no creator. */
  get changedOwners(): (readonly [AccountKey, string | null])[] {
    const keys = [...this.drafts.values()].flatMap(({ known, keys: own }) => [
      ...(known?.account_keys ?? []),
      ...own,
    ]);
    return [...new Set(keys)].map((key) => [key, this.owners.get(key) ?? null]);
  }

  /** What the creator becomes, or why the record is refused. */
  private draft(line: PreparedLine, before: Draft | undefined, wasClaimed: boolean): Draft | string {
    const { rules, full } = this.basis;
    const isMerged = rules.mode === 'merge' && before !== undefined;
    if (!before && !wasClaimed && line.missing !== null) {
      return `${line.missing} is missing, and the creator is new`;
    }
    const whole = () => JSON.parse(line.json) as CreatorContent;
    const { given } = line;
    const merged = isMerged ? mergeCreator(before.content(), onlyGiven(whole(), given)) : null;
    if (merged && !Number.isSafeInteger(totalReach(merged))) {
      return 'platforms have too many followers in total';
    }
    const keys = merged ? keysOfAccounts(merged.platforms) : line.row.keys;
    const isDefault = isMerged && given !== null && !given.includes('published');
    const asked = isDefault ? null : line.published;
    const published = keys.length > 0 && (asked ?? before?.published ?? true);
    if (full !== null && published && !before?.known?.published) return `not stored: ${full}`;
    const row = merged ? null : line.row;
    return {
      known: before?.known,
      keys,
      published,
      row,
      content: () => merged ?? whole(),
    };
  }

  /** A creator loses these accounts, and is unpublished with the last one. */
  private takeAccounts(slug: string, keys: ReadonlySet<AccountKey>): void {
    const before = this.draftOf(slug);
    if (!before) return;
    const content = before.content();
    const isTaken = (account: Creator['platforms'][number]) =>
      keysOfAccount(account).some((key) => keys.has(key));
    const platforms = content.platforms.filter((account) => !isTaken(account));
    const published = before.published && platforms.length > 0;
    const left = { ...content, platforms };
    this.set(slug, { ...before, keys: keysOfAccounts(platforms), published, row: null, content: () => left });
  }

  private draftOf(slug: string): Draft | undefined {
    const draft = this.drafts.get(slug);
    const known = this.basis.creators.get(slug);
    if (draft || !known) return draft;
    const { published, account_keys: keys } = known;
    return { known, keys, published, row: null, content: () => contentOf(known as KnownCreator & Creator) };
  }

  private set(slug: string, draft: Draft): void {
    for (const key of this.draftOf(slug)?.keys ?? []) {
      if (this.owners.get(key) === slug) this.owners.delete(key);
    }
    for (const key of draft.keys) this.owners.set(key, slug);
    this.drafts.set(slug, draft);
  }

  private claimOf(slug: string): number | undefined {
    return this.claimed.get(slug) ?? this.basis.claims.get(slugKey(slug))?.line;
  }

  private removalOf({ row }: PreparedLine, slug: string): RemovalNotice | undefined {
    const found = [slugKey(slug), ...row.keys].flatMap((key) => this.basis.keptOut.get(key) ?? []);
    return found.sort((one, other) => other.removed_at.getTime() - one.removed_at.getTime())[0];
  }

  private makeSlug(made: string): string {
    const at = this.taken.get(made) ?? 0;
    this.taken.set(made, at + 1);
    const slug = this.basis.freeSlugs.get(made)?.[at];
    if (slug === undefined) throw new Error(`no free slug for ${made}`);
    return slug;
  }

  private conflict(line: PreparedLine, slug: string, others: readonly string[]): string {
    if (line.slug === null) {
      return `accounts of several creators: they belong to ${[slug, ...others].join(' and ')}`;
    }
    const [other = ''] = others;
    const key = line.row.keys.find((one) => this.owners.get(one) === other);
    return `account of another creator: ${key} belongs to ${other}, not to ${slug}`;
  }

  private refuse({ line }: PreparedLine, error: string): void {
    this.errors.push({ line, error });
  }
}

/** What a record has of a creator beside defaults and placeholders. */
function onlyGiven(content: CreatorContent, given: readonly string[] | null): MergedCreator {
  const own = Object.entries(content).filter(([name]) => given?.includes(name) ?? true);
  return { ...Object.fromEntries(own), platforms: content.platforms };
}

import { type PublicCreator } from '#contracts';
import { type IndexedState } from '#creator-index';
import { TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { SearchIndex } from '../search/search.module.js';
import { CreatorJson } from '../creators/creator-json.js';
import { CreatorsRepository } from '../creators/creators.repository.js';

/** About 40,000 profiles; a character takes one byte, or two. */
const charactersMax = 32 * 1_024 * 1_024;

/** The profiles of published creators. */
@Injectable()
export class ProfilesService {
  private readonly known = new KnownProfiles();

  constructor(
    private readonly database: TransactionRunner,
    private readonly creators: CreatorsRepository,
    private readonly json: CreatorJson,
    @Inject(SearchIndex) private readonly index: Pick<SearchIndex, 'currentState'>,
  ) {}

  /**
   * The JSON of a published creator's profile; `null` when there is none. One that was read before is not read again while
   * the index follows the database and shows the same revision: a change is visible within a second. `latest` always reads
   * the database: replicas of this service differ for that long.
   */
  async find(slug: string, latest = false): Promise<Buffer | null> {
    // Before the profile is read, so that a change meanwhile is not missed.
    const state = latest ? undefined : this.index.currentState;
    const known = state && this.known.find(slug, state);
    if (known !== undefined) return Buffer.from(known);
    const creator = await this.creators.find(this.database, slug);
    if (!creator?.published) return null;
    const profile = this.json.profile(creator);
    if (state) this.known.keep(slug, profile, state);
    return Buffer.from(profile);
  }

  /** The profiles of those slugs that published creators have, or had, as the database has them now. */
  async findMany(slugs: readonly string[]): Promise<Map<string, Buffer>> {
    const creators = await this.creators.findMany(this.database, slugs);
    const published = [...creators].filter(([, creator]) => creator.published);
    return new Map(published.map(([slug, creator]) => [slug, Buffer.from(this.json.profile(creator))]));
  }

  /** What everyone may see of a published creator; `null` when there is none. */
  async findPublic(slug: string): Promise<PublicCreator | null> {
    const creator = await this.creators.find(this.database, slug);
    return creator?.published ? this.json.public(creator) : null;
  }
}

/** Profiles as JSON that were read in one state of the catalog; emptied by the first look-up in another one, and when it is full. */
class KnownProfiles {
  private readonly profiles = new Map<string, string>();
  private characters = 0;
  private state: IndexedState | undefined;

  find(slug: string, state: IndexedState): string | undefined {
    if (state !== this.state) this.clear();
    this.state = state;
    return this.profiles.get(slug);
  }

  keep(slug: string, profile: string, state: IndexedState): void {
    if (state !== this.state || this.profiles.has(slug)) return;
    if (this.characters + profile.length > charactersMax) this.clear();
    this.profiles.set(slug, profile);
    this.characters += profile.length;
  }

  private clear(): void {
    this.profiles.clear();
    this.characters = 0;
  }
}

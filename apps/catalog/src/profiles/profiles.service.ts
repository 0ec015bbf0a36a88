import { type PublicCreator } from '#contracts';
import { Inject, Injectable } from '@nestjs/common';
import { CreatorJson } from '../creators/creator-json.js';
import { CreatorsRepository } from '../creators/creators.repository.js';
import { type StoredCreator } from '../creators/creator-row.js';
import { ReadCounter } from '../demand/read-counter.js';
import { ReadReplicas } from '../database/read-replicas.js';
import { SearchIndex } from '../search/search.module.js';
import { KnownProfiles } from './known-profiles.js';

/** About 40,000 profiles. */
const charactersMax = 32 * 1_024 * 1_024;

/** The profiles of the public API. */
@Injectable()
export class ProfilesService {
  private readonly known = new KnownProfiles(charactersMax);

  constructor(
    private readonly creators: CreatorsRepository,
    private readonly json: CreatorJson,
    @Inject(SearchIndex) private readonly index: Pick<SearchIndex, 'currentState'>,
    private readonly replicas: ReadReplicas,
    private readonly reads: ReadCounter,
  ) {}

  /**
   * The JSON of a published creator's profile; `null` when there is none. One that was read before is not read again while
   * the index follows the database and shows the same revision: a change is visible within a second, with read replicas as
   * soon as they have it. `latest` reads the primary: replicas of this service differ for that long.
   */
  async find(slug: string, latest = false): Promise<Buffer | null> {
    const profile = latest ? await this.readLatest(slug) : await this.read(slug);
    if (profile !== null) this.reads.count(slug);
    return profile;
  }

  /** What everyone may see of a published creator; `null` when there is none. */
  async findPublic(slug: string): Promise<PublicCreator | null> {
    const creator = await this.creators.findOnReplica(slug);
    return creator?.published ? this.json.public(creator) : null;
  }

  private async read(slug: string): Promise<Buffer | null> {
    // A replica may be behind the index, which follows the primary.
    const state = this.replicas.areUsed ? undefined : this.index.currentState;
    const known = state && this.known.find(slug, state);
    if (known !== undefined) return Buffer.from(known);
    const profile = this.jsonOf(await this.creators.findOnReplica(slug));
    if (profile === null) return null;
    if (state) this.known.keep(slug, profile, state);
    return Buffer.from(profile);
  }

  private async readLatest(slug: string): Promise<Buffer | null> {
    const profile = this.jsonOf(await this.creators.findOnPrimary(slug));
    return profile === null ? null : Buffer.from(profile);
  }

  private jsonOf(creator: StoredCreator | null): string | null {
    return creator?.published ? this.json.profile(creator) : null;
  }
}

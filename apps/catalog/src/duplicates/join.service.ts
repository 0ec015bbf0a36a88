import { countryName, type CreatorView, InvalidPayloadError, ServiceError } from '#contracts';
import { type ChangeContext, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { findKeptOut, removalReason, slugKey } from '../creators/block-list.js';
import { type Creator, type MergedCreator } from '../creators/creator.js';
import { addAliases, aliasesOf } from '../creators/creator-aliases.js';
import { CreatorJson } from '../creators/creator-json.js';
import { contentOf, type StoredCreator } from '../creators/creator-row.js';
import { CreatorWriter } from '../creators/creator-writer.js';
import { runWriting, type Writing } from '../creators/writing.js';
import { CreatorsRepository, noSuchCreator } from '../creators/creators.repository.js';
import { prepareLine } from '../creators/parse-creator-record.js';

/** Makes one creator of two records of a person. */
@Injectable()
export class JoinService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly creators: CreatorsRepository,
    private readonly writer: CreatorWriter,
    private readonly json: CreatorJson,
  ) {}

  /**
   * Adds what `from` has to `into`; the slugs of the former lead to the latter from then on. A second time changes nothing.
   * Throws `not_found`, `conflict` and `invalid_request`.
   */
  async join(from: string, into: string, by: ChangeContext = {}): Promise<CreatorView> {
    const join = async (writing: Writing): Promise<CreatorView> => {
      const [gone, kept] = [await this.find(writing, from), await this.find(writing, into)];
      if (gone.slug === from && kept.slug === from) {
        throw new InvalidPayloadError({ into: ['into must be another creator'] });
      }
      if (gone.slug === kept.slug) return this.json.view(kept);
      if (gone.slug !== from) throw conflict(`${from} was joined into ${gone.slug}; join that instead`);
      const old = [from, ...(await aliasesOf(writing, [from])).keys()];
      await this.creators.remove(writing, [from]);
      await this.add(writing, kept, gone);
      await addAliases(writing, old, kept.slug);
      const [before, after] = [this.json.view(gone), { joined_into: kept.slug }];
      await writing.record({ action: 'creator.joined', subject: from, before, after });
      return this.json.view(await this.find(writing, kept.slug));
    };
    return runWriting(this.transactions, join, by);
  }

  private async find(writing: Writing, slug: string): Promise<StoredCreator> {
    const creator = await this.creators.find(writing, slug);
    if (creator) return creator;
    const removed = (await findKeptOut(writing, [slugKey(slug)])).get(slugKey(slug));
    throw removed ? conflict(`${slug} was ${removalReason(removed)}`) : noSuchCreator(`the slug ${slug}`);
  }

  /** Merges a record into the creator, so that the rules of an import hold. */
  private async add(writing: Writing, kept: StoredCreator, gone: Creator): Promise<void> {
    const added = addedBy(gone, kept);
    const record = { ...contentOf(gone), ...added, slug: kept.slug, published: null };
    const { plan, updated } = await this.writer.store(writing, {
      lines: [prepareLine(1, { record, given: Object.keys(added), missing: null }, true)],
      rules: { mode: 'merge', move_accounts: false },
    });
    const [refused] = plan.errors;
    if (refused) throw conflict(refused.error);
    if (updated === 0) return;
    const [before, after] = [this.json.view(kept), this.json.view(await this.find(writing, kept.slug))];
    await writing.record({ action: 'creator.updated', subject: kept.slug, before, after });
  }
}

/** What one record of a person adds to another: what that lacks, and accounts that are newer or on other platforms. */
function addedBy(gone: Creator, kept: Creator): MergedCreator {
  const isKept = ({ platform, updated_at }: Creator['platforms'][number]) =>
    kept.platforms.some((own) => own.platform === platform && own.updated_at >= updated_at);
  return {
    tagline: kept.tagline || gone.tagline,
    website: kept.website ?? gone.website,
    verified: kept.verified || gone.verified,
    country: countryName(kept.country) ?? countryName(gone.country) ?? kept.country,
    languages: [...new Set([...kept.languages, ...gone.languages])],
    categories: [...new Set([...kept.categories, ...gone.categories])],
    platforms: contentOf(gone).platforms.filter((account) => !isKept(account)),
  };
}

function conflict(reason: string): ServiceError {
  return new ServiceError('conflict', `The creators are not joined: ${reason}.`);
}

import {
  type CreatorView,
  isRecord,
  type ListCreatorsRequest,
  type Page,
  type PutCreatorReply,
  ServiceError,
  type UnpublishCreatorsReply,
  type UnpublishCreatorsRequest,
} from '#contracts';
import { type ChangeContext, TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { findCounts, forgetCounts } from '../creators/account-counts.js';
import { runWriting, type Writing } from '../creators/writing.js';
import { CreatorsRepository, noSuchCreator } from '../creators/creators.repository.js';
import { CreatorEntity } from '../creators/creator.entity.js';
import { keysOfAccounts } from '../lookup/creator-account.js';
import { CreatorJson } from '../creators/creator-json.js';
import { CreatorWriter } from '../creators/creator-writer.js';
import { SearchIndex } from '../search/search.module.js';
import { findKeptOut, type RemovalNotice, removalReason, slugKey } from '../creators/block-list.js';
import {
  parseCreatorRecord,
  prepareLine,
  RecordError,
  wholeRecord,
} from '../creators/parse-creator-record.js';

/** Few enough that other writers wait only moments for them. */
const unpublishedAtOnce = 1_000;

/** Creators as operators read and change them. */
@Injectable()
export class CreatorsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly creators: CreatorsRepository,
    private readonly writer: CreatorWriter,
    private readonly json: CreatorJson,
    @Inject(SearchIndex) private readonly index: Pick<SearchIndex, 'full'>,
  ) {}

  /** With `history`, also how many followers the accounts had over time. Throws `not_found`. */
  async show(slug: string, history = false): Promise<CreatorView> {
    const creator = await this.creators.find(this.transactions, slug);
    if (!creator) throw noSuchCreator();
    const keys = history ? keysOfAccounts(creator.platforms) : [];
    return {
      ...this.json.view(creator),
      ...(history ? { history: await findCounts(this.transactions, keys) } : {}),
    };
  }

  /** In the order of their slugs. */
  async list({ limit, cursor, ...selection }: ListCreatorsRequest): Promise<Page<CreatorView>> {
    const found = await this.creators.list(this.transactions, selection, limit, cursor);
    const last = found.length < limit ? undefined : found.at(-1);
    return { items: found.map((creator) => this.json.view(creator)), next_cursor: last?.slug ?? null };
  }

  /**
   * Creates or replaces a creator by the rules of the import; throws `invalid_request`, and `conflict` for a creator who was
   * removed, or whom the index has no memory for.
   */
  async put(slug: string, body: unknown, by: ChangeContext = {}): Promise<PutCreatorReply> {
    const record = parseBody(slug, body);
    const store = async (writing: Writing): Promise<PutCreatorReply> => {
      const before = await this.creators.find(writing, slug);
      const line = prepareLine(1, wholeRecord(record));
      const { full } = this.index;
      const { created, unchanged, plan } = await this.writer.store(writing, { lines: [line], full });
      const [[removed], [refused]] = [plan.removed, plan.errors];
      if (removed) throw wasRemoved(removed);
      if (refused && full !== null && refused.error.endsWith(full)) throw hasNoRoom(full);
      if (refused) throw new ServiceError('conflict', `This creator is not stored: ${refused.error}.`);
      const stored = await this.creators.find(writing, slug);
      if (!stored) throw new Error('the creator just stored is missing');
      const creator = this.json.view(stored);
      if (unchanged === 0) {
        await writing.record({
          action: before ? 'creator.updated' : 'creator.created',
          subject: stored.slug,
          ...(before ? { before: this.json.view(before) } : {}),
          after: creator,
        });
      }
      return { created: created === 1, creator };
    };
    return runWriting(this.transactions, store, by);
  }

  /**
   * Throws `not_found`, and `conflict` for a creator who was removed, who has no account, or whom the index has no memory
   * for.
   */
  async publish(slug: string, published: boolean, by: ChangeContext = {}): Promise<CreatorView> {
    const change = async (writing: Writing): Promise<CreatorView> => {
      const before = await this.creators.find(writing, slug);
      const creator = before && (await this.creators.setPublished(writing, before.slug, published));
      if (!before || !creator) throw await this.whyMissing(writing, slug);
      if (published && creator.platforms.length === 0) throw hasNoAccount();
      const { full } = this.index;
      if (full !== null && published && !before.published) throw hasNoRoom(full);
      await writing.record({
        action: published ? 'creator.published' : 'creator.unpublished',
        subject: creator.slug,
        before: { published: before.published },
        after: { published },
      });
      return this.json.view(creator);
    };
    return runWriting(this.transactions, change, by);
  }

  /** Unpublishes the next creators of a source that are published, or only counts all of them. */
  async unpublishSource(
    { source, dry_run: isDryRun, cursor }: UnpublishCreatorsRequest,
    by: ChangeContext = {},
  ): Promise<UnpublishCreatorsReply> {
    const ofSource = { source, published: true };
    if (isDryRun) {
      const unpublished = await this.transactions.manager.countBy(CreatorEntity, ofSource);
      return { unpublished, next_cursor: null };
    }
    // Found before the turn of writers is taken: reading may take longer than changing.
    const found = await this.creators.list(this.transactions, ofSource, unpublishedAtOnce, cursor);
    const slugs = found.map(({ slug }) => slug);
    if (slugs.length === 0) return { unpublished: 0, next_cursor: null };
    const unpublish = async (writing: Writing): Promise<number> => {
      const unpublished = await this.creators.unpublish(writing, slugs, source);
      const change = { action: 'creators.unpublished', subject: source, after: { unpublished } } as const;
      if (unpublished > 0) await writing.record(change);
      return unpublished;
    };
    const unpublished = await runWriting(this.transactions, unpublish, by);
    return { unpublished, next_cursor: slugs[unpublishedAtOnce - 1] ?? null };
  }

  /** Deletes a creator, or only the slug if it is an old one. Throws `not_found`. */
  async remove(slug: string, by: ChangeContext = {}): Promise<void> {
    const remove = async (writing: Writing): Promise<void> => {
      const before = await this.creators.find(writing, slug);
      if (!before) throw noSuchCreator();
      await this.creators.remove(writing, [slug]);
      if (before.slug === slug) {
        await forgetCounts(writing, keysOfAccounts(before.platforms));
      }
      await writing.record({
        action: 'creator.deleted',
        subject: slug,
        before: before.slug === slug ? this.json.view(before) : { joined_into: before.slug },
      });
    };
    await runWriting(this.transactions, remove, by);
  }

  private async whyMissing(writing: Writing, slug: string): Promise<ServiceError> {
    const removed = (await findKeptOut(writing, [slugKey(slug)])).get(slugKey(slug));
    return removed ? wasRemoved(removed) : noSuchCreator();
  }
}

function parseBody(slug: string, body: unknown): ReturnType<typeof parseCreatorRecord> {
  try {
    if (!isRecord(body)) throw new RecordError('record', 'record must be a JSON object');
    if (body.slug !== undefined && body.slug !== slug) {
      throw new RecordError('slug', 'slug differs from the path');
    }
    return parseCreatorRecord({ ...body, slug }, new Date());
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    throw new ServiceError('invalid_request', `The record is not valid: ${error.message}.`, {
      details: { [error.field]: [error.message] },
    });
  }
}

function wasRemoved(removed: RemovalNotice): ServiceError {
  return new ServiceError('conflict', `This creator was ${removalReason(removed)}, and is not stored.`);
}

function hasNoAccount(): ServiceError {
  return new ServiceError('conflict', "This creator can't be published: it has no account on any platform.");
}

function hasNoRoom(full: string): ServiceError {
  return new ServiceError('conflict', `This creator can't be published: ${full}`);
}

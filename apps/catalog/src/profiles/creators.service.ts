import { type CreatorView, type PutCreatorReply, ServiceError } from '@app/contracts';
import { type RemainingMs } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CreatorJson } from '../creators/creator-json.js';
import {
  findCreator,
  removeCreator,
  setPublished,
  stageCreators,
  stagedRow,
  storeStaged,
} from '../creators/creators.repository.js';
import { isObject, RecordError } from '../creators/field-reader.js';
import { parseCreatorRecord } from '../creators/parse-creator-record.js';
import {
  inTransaction,
  type Query,
  autocommitQuery,
  startWriting,
  type Transaction,
} from '../database/query.js';
import { readingFromReplicas } from '../database/read-replicas.js';

/** One creator at a time: the profile of the public API and the operator's changes. */
@Injectable()
export class CreatorsService {
  private readonly replicas: Query;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly json: CreatorJson,
  ) {
    this.replicas = readingFromReplicas(dataSource);
  }

  /** The JSON of a published creator's profile; `null` when there is none. */
  async profile(slug: string): Promise<Buffer | null> {
    const creator = await findCreator(this.replicas, slug);
    return creator?.published ? Buffer.from(this.json.profile(creator)) : null;
  }

  /** Throws `not_found`. */
  async show(slug: string): Promise<CreatorView> {
    const creator = await findCreator(autocommitQuery(this.dataSource), slug);
    if (!creator) throw noSuchCreator();
    return this.json.view(creator);
  }

  /** Creates or replaces a creator by the rules of the import; throws `invalid_request`. */
  async put(slug: string, body: unknown, remainingMs?: RemainingMs): Promise<PutCreatorReply> {
    const record = parseBody(slug, body);
    const store = async (query: Query, transaction: Transaction): Promise<PutCreatorReply> => {
      await stageCreators(transaction, Buffer.from(stagedRow(record, 1)));
      const { created } = await storeStaged(await startWriting(query));
      const creator = await findCreator(query, slug);
      if (!creator) throw new Error('a creator that was just stored is gone');
      return { created: created === 1, creator: this.json.view(creator) };
    };
    return inTransaction(this.dataSource, store, { remainingMs });
  }

  /** Throws `not_found`. */
  async publish(slug: string, published: boolean, remainingMs?: RemainingMs): Promise<CreatorView> {
    const change = async (query: Query): Promise<CreatorView> => {
      const creator = await setPublished(await startWriting(query), slug, published);
      if (!creator) throw noSuchCreator();
      return this.json.view(creator);
    };
    return inTransaction(this.dataSource, change, { remainingMs });
  }

  /** Throws `not_found`. */
  async remove(slug: string, remainingMs?: RemainingMs): Promise<void> {
    const remove = async (query: Query): Promise<void> => {
      if (!(await removeCreator(await startWriting(query), slug))) throw noSuchCreator();
    };
    await inTransaction(this.dataSource, remove, { remainingMs });
  }
}

function parseBody(slug: string, body: unknown): ReturnType<typeof parseCreatorRecord> {
  try {
    if (!isObject(body)) throw new RecordError('record', 'must be a JSON object');
    if (body.slug !== undefined && body.slug !== slug) throw new RecordError('slug', 'differs from the path');
    return parseCreatorRecord({ ...body, slug }, new Date());
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    throw new ServiceError('invalid_request', `The record is not valid: ${error.message}.`, {
      details: { [error.field]: [error.message] },
    });
  }
}

function noSuchCreator(): ServiceError {
  return new ServiceError('not_found', 'There is no creator with this slug.');
}

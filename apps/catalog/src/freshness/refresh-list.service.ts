import { type CreatorRecord, type Page, type RefreshSlugsRequest, ServiceError, WithBytes } from '#contracts';
import { TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { CreatorEntity } from '../creators/creator.entity.js';
import { type StoredCreator, storedFields } from '../creators/creator-row.js';
import { DemandRepository, type RefreshPosition } from '../demand/demand.repository.js';

const timeoutMs = 25_000;

/** The creators to be refreshed, in their order, and their records. */
@Injectable()
export class RefreshListService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly demand: DemandRepository,
  ) {}

  /** Throws `invalid_request` for a cursor of another list. */
  async slugs({ limit, cursor, ...filters }: RefreshSlugsRequest): Promise<Page<string>> {
    const { now, after } = cursor === undefined ? { now: new Date(), after: null } : decode(cursor);
    const positions = await this.transactions.snapshot(
      ({ query }) => this.demand.order(query, filters, { now, after, limit }),
      { timeoutMs },
    );
    const last = positions.length < limit ? undefined : positions.at(-1);
    return {
      items: positions.map(({ slug }) => slug),
      next_cursor: last ? encode({ now, after: last }) : null,
    };
  }

  /** Lines of an import, in the order of the slugs: imported unchanged, they change nothing. */
  async records(slugs: readonly string[]): Promise<WithBytes<{ returned: number }>> {
    const found = await this.transactions.manager.find(CreatorEntity, {
      select: storedFields,
      where: { slug: In([...slugs]) },
    });
    const bySlug = new Map(found.map((creator) => [creator.slug, creator]));
    const lines = slugs.flatMap((slug) => {
      const creator = bySlug.get(slug);
      return creator ? [`${JSON.stringify(toRecord(creator))}\n`] : [];
    });
    return new WithBytes({ returned: lines.length }, Buffer.from(lines.join('')));
  }
}

function toRecord({ website, ...creator }: StoredCreator): CreatorRecord {
  const { slug, name, tagline, country, languages, verified, categories, published, platforms } = creator;
  return {
    slug,
    name,
    tagline,
    country,
    languages,
    verified,
    ...(website === null ? {} : { website }),
    categories,
    published,
    platforms: platforms.map(({ platform, handle, url, followers, updated_at }) => ({
      platform,
      handle: `@${handle}`,
      followers,
      updated_at,
      url,
    })),
  };
}

interface Continuation {
  readonly now: Date;
  readonly after: RefreshPosition;
}

function encode({ now, after: { never_asked, rank, slug } }: Continuation): string {
  return Buffer.from(JSON.stringify([now.getTime(), never_asked, rank, slug])).toString('base64url');
}

/** Cursors are not signed: what they say decides only what is shown to their own reader. */
function decode(cursor: string): Continuation {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
    const [at, never_asked, rank, slug] = Array.isArray(parts) ? (parts as unknown[]) : [];
    const now = new Date(typeof at === 'number' ? at : NaN);
    if (
      !Number.isNaN(now.getTime()) &&
      typeof never_asked === 'boolean' &&
      typeof rank === 'number' &&
      typeof slug === 'string'
    ) {
      return { now, after: { never_asked, rank, slug } };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ServiceError('invalid_request', 'This is not a cursor from a previous page; start without it.', {
    details: { cursor: ['cursor must be the next_cursor of the previous page'] },
  });
}

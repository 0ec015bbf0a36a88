import { type Charge } from '../api.js';
import { UnexpectedResponseError } from '../errors.js';
import { type JsonObject, linkOf, readUnknownFilters, type UnknownFilters } from './parsing.js';

/** Credits of one call. */
export interface Credits {
  /** Taken for this call. */
  readonly used: number;
  /** The balance after it. */
  readonly remaining: number;
  /** A sentence, at 5 credits or fewer. */
  readonly warning?: string;
}

/** The parts of an answer that are common to all of them. */
export interface AnswerParts {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Empty with 304. */
  readonly body: JsonObject;
  readonly requestId: string;
  readonly attempts: number;
}

/** A successful answer. */
export class Answer {
  readonly requestId: string;

  constructor(private readonly parts: AnswerParts) {
    this.requestId = parts.requestId;
  }

  /** Whether what was asked for still is as it was, so that it is not sent again. */
  get isUnchanged(): boolean {
    return this.parts.status === 304;
  }

  get etag(): string | null {
    return this.parts.headers.get('etag');
  }

  /** Filters of a search whose value no creator has, and for some of them the closest value that exists. */
  get unknownFilters(): UnknownFilters {
    return readUnknownFilters(this.parts.headers.get('x-filters-unknown'));
  }

  /** The body, which has these fields at least. Throws `UnexpectedResponseError` when one is missing. */
  bodyWith<Body>(...names: readonly (keyof Body & string)[]): Body {
    const missing = names.filter((name) => !(name in this.parts.body));
    if (missing.length > 0) throw this.unexpected(`has no ${missing.join(', ')}`);
    return this.parts.body as Body;
  }

  get credits(): Credits {
    const {
      credits_used: used,
      credits_remaining: remaining,
      warning,
    } = this.bodyWith<Charge>('credits_used', 'credits_remaining');
    return { used, remaining, ...(warning === undefined ? {} : { warning }) };
  }

  /** Credits of an answer without a body. */
  get creditsOfHeaders(): Credits {
    const { headers } = this.parts;
    const [used, remaining] = ['x-credits-used', 'x-credits-remaining'].map(
      (name) => headers.get(name) ?? '',
    );
    if (!/^\d+$/.test(used ?? '') || !/^\d+$/.test(remaining ?? '')) {
      throw this.unexpected('has no credits');
    }
    const warning = headers.get('x-credits-warning');
    return { used: Number(used), remaining: Number(remaining), ...(warning === null ? {} : { warning }) };
  }

  /**
   * Where the page after this one begins; `null` on the last one. Of the link only the cursor is used: the key goes to no
   * other place.
   */
  nextCursor(cursor: string | undefined): string | null {
    const link = linkOf(this.parts.headers.get('link'), 'next');
    if (link === null) return null;
    const next = new URLSearchParams(/\?([^#]*)/.exec(link)?.[1]).get('cursor');
    if (!next || next === cursor) throw this.unexpected('has a link to the next page that leads nowhere');
    return next;
  }

  unexpected(what: string): UnexpectedResponseError {
    const { requestId, attempts, status } = this.parts;
    const message = `The answer ${what}: something else than this API has answered. Is baseUrl right?`;
    return new UnexpectedResponseError(message, { requestId, attempts, status });
  }
}

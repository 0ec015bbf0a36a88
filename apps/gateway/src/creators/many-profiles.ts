import { type Credits, getProfiles, type ProfileToRead, slugLengthMax, slugPattern } from '#contracts';
import { ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { AnswerTags } from '../answers/answer-tags.js';
import { matchesEtag } from '../answers/etag.js';
import { type Found, profilePrice } from '../charging/price-search.js';
import { simulate } from '../charging/simulate.js';
import { type Call } from '../requests/call.js';

interface Result {
  readonly slug: string;
  readonly status: 'found' | 'unchanged' | 'not_found';
  readonly etag?: string;
  /** Only if `found`. */
  readonly profile?: Buffer;
}

/** Reads many profiles of published creators for one charge. */
@Injectable()
export class ManyProfiles {
  constructor(
    private readonly services: ServiceClient,
    private readonly tags: AnswerTags,
  ) {}

  /**
   * The latest profile of each creator whom the caller does not have as they are now. A creator who is named twice is paid once: equal
   * tags are those of the same creator.
   */
  async find(call: Call, creators: readonly ProfileToRead[]): Promise<Found> {
    for (const { slug } of creators) simulate(call, slug, profilePrice);
    const profiles = await this.read(call, creators);
    const results = creators.map(({ slug, etag: known }): Result => {
      const profile = profiles.get(slug);
      if (!profile) return { slug, status: 'not_found' };
      const etag = this.tags.tagOf(profile);
      if (matchesEtag(known, etag)) return { slug, status: 'unchanged', etag };
      return { slug, status: 'found', etag, profile };
    });
    const found = results.filter(({ status }) => status === 'found');
    const credits = new Set(found.map(({ etag }) => etag)).size * profilePrice;
    return {
      metered: { operation: 'profiles', credits, total: profiles.size },
      // With the tags: a repetition must not get more than what was paid.
      parameters: { creators },
      headers: {},
      body: (charged) => bodyOf(results, charged),
    };
  }

  private async read(call: Call, creators: readonly ProfileToRead[]): Promise<ReadonlyMap<string, Buffer>> {
    const slugs = new Set(creators.map(({ slug }) => slug).filter(isSlug));
    const request = { slugs: [...slugs], ...call.creators };
    const { value, bytes } = await this.services.request(getProfiles, request, call);
    let end = 0;
    return new Map(value.found.map(({ slug, length }) => [slug, bytes.subarray(end, (end += length))]));
  }
}

/** Whether a creator could have it. */
export function isSlug(text: string): boolean {
  return text.length <= slugLengthMax && slugPattern.test(text);
}

/** The body of the answer, with the profiles' bytes as the catalog sent them. */
function bodyOf(results: readonly Result[], credits: Credits): Buffer {
  const parts = results.flatMap(({ profile, ...result }, index) => {
    const head = `${index === 0 ? '' : ','}${JSON.stringify(result)}`;
    return profile
      ? [Buffer.from(`${head.slice(0, -1)},"profile":`), profile, Buffer.from('}')]
      : [Buffer.from(head)];
  });
  const end = `],${JSON.stringify(credits).slice(1)}`;
  return Buffer.concat([Buffer.from('{"results":['), ...parts, Buffer.from(end)]);
}

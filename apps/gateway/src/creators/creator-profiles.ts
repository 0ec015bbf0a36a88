import { getProfile, ServiceError, slugLengthMax, slugPattern } from '#contracts';
import { ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { type Metered, profilePrice } from '../charging/price-search.js';
import { type Call } from '../requests/call.js';

/** A profile as JSON, and what it costs. */
export interface FoundProfile {
  readonly json: Buffer;
  readonly metered: Metered;
}

/** Reads profiles of published creators, not charged for yet. */
@Injectable()
export class CreatorProfiles {
  constructor(private readonly services: ServiceClient) {}

  /** `latest`: not as it was within the last second. Throws `not_found`, for a string that can't be a slug too. */
  async find(call: Call, slug: string, { latest = false } = {}): Promise<FoundProfile> {
    if (slug.length > slugLengthMax || !slugPattern.test(slug)) throw noSuchCreator();
    const profile = await this.services.request(getProfile, latest ? { slug, latest } : { slug }, call);
    if (!profile.value.found) throw noSuchCreator();
    return { json: profile.bytes, metered: { operation: 'profile', credits: profilePrice } };
  }
}

function noSuchCreator(): ServiceError {
  return new ServiceError('not_found', 'No published creator has this slug.');
}

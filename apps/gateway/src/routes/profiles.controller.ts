import { Body, Controller, Headers, Param } from '@nestjs/common';
import { AnswerTags } from '../answers/answer-tags.js';
import { matchesEtag, revalidated } from '../answers/etag.js';
import {
  type Credits,
  getCreatorProfileOperation,
  getCreatorProfilesOperation,
  ProfilesToRead,
} from '#contracts';
import { type Found } from '../charging/price-search.js';
import { CreatorProfiles } from '../creators/creators.module.js';
import { ManyProfiles } from '../creators/many-profiles.js';
import { type Call, CurrentCall } from '../requests/call.js';
import { Endpoint } from './endpoint.js';

@Controller()
export class ProfilesController {
  constructor(
    private readonly profiles: CreatorProfiles,
    private readonly manyProfiles: ManyProfiles,
    private readonly tags: AnswerTags,
  ) {}

  /**
   * Free for a client that has the profile already. A call with a tag compares it with the latest profile: a catalog that has not
   * followed a change yet would have the client pay for an older profile than it has.
   */
  @Endpoint(getCreatorProfileOperation)
  async show(
    @CurrentCall() call: Call,
    @Param('slug') slug: string,
    @Headers('if-none-match') condition: string | undefined,
  ): Promise<Found> {
    const { json, metered } = await this.profiles.find(call, slug, { latest: condition !== undefined });
    const etag = this.tags.tagOf(json);
    const isUnchanged = matchesEtag(condition, etag);
    return {
      metered: isUnchanged ? { ...metered, credits: 0 } : metered,
      parameters: { slug },
      headers: { etag, 'cache-control': revalidated },
      body: (credits) => (isUnchanged ? null : profileBody(json, credits)),
    };
  }

  @Endpoint(getCreatorProfilesOperation)
  showMany(@CurrentCall() call: Call, @Body() { creators }: ProfilesToRead): Promise<Found> {
    return this.manyProfiles.find(call, creators);
  }
}

const closingBrace = 0x7d;

/** The profile as the catalog wrote it, with the credits as its last fields. */
function profileBody(profile: Buffer, credits: Credits): Buffer {
  const end = profile.lastIndexOf(closingBrace);
  return Buffer.concat([profile.subarray(0, end), Buffer.from(`,${JSON.stringify(credits).slice(1)}`)]);
}

import { type Credits, getCreatorProfileOperation } from '@app/contracts';
import { Controller, Headers, Param } from '@nestjs/common';
import { type Found } from '../charging/found.js';
import { CreatorProfiles } from '../creators/creator-profiles.js';
import { type Call, CurrentCall } from '../requests/call.js';
import { revalidated } from '../requests/etag.js';
import { Endpoint } from './endpoint.js';
import { ProfileTags } from './profile-tags.js';

@Controller()
export class GetCreatorProfileController {
  constructor(
    private readonly profiles: CreatorProfiles,
    private readonly tags: ProfileTags,
  ) {}

  /** Free for a client that has the profile already. */
  @Endpoint(getCreatorProfileOperation)
  async show(
    @CurrentCall() call: Call,
    @Param('slug') slug: string,
    @Headers('if-none-match') condition: string | undefined,
  ): Promise<Found> {
    const { json, metered } = await this.profiles.find(call, slug);
    const etag = this.tags.tagOf(json);
    const isUnchanged = this.tags.isNamed(condition, etag);
    return {
      metered: isUnchanged ? { ...metered, credits: 0 } : metered,
      parameters: { slug },
      headers: { etag, 'cache-control': revalidated },
      body: (credits) => (isUnchanged ? null : profileBody(json, credits)),
    };
  }
}

const closingBrace = 0x7d;

/** The profile as the catalog wrote it, with the credits as its last fields. */
function profileBody(profile: Buffer, credits: Credits): Buffer {
  const end = profile.lastIndexOf(closingBrace);
  return Buffer.concat([profile.subarray(0, end), Buffer.from(`,${JSON.stringify(credits).slice(1)}`)]);
}

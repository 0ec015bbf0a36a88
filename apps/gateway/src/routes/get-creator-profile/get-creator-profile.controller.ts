import { Controller, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../authentication/api-key.guard.js';
import { MeteringService } from '../../charging/metering.service.js';
import { repeatableCall } from '../../charging/repeatable-call.js';
import { CreatorProfiles } from '../../creators/creator-profiles.js';
import { CurrentCall } from '../../http/calls/call-of-request.js';
import { revalidated } from '../../http/answers/etag.js';
import { type PublicCall } from '../../http/calls/public-call.js';
import { refuseParameters } from '../../http/requests/refuse-parameters.js';
import { profileBody } from './profile-body.js';
import { ProfileTags } from './profile-tags.js';

/** `GET /creators/{slug}` (spec 4.2); free for a client that has the profile as it is (design 11). */
@Controller('creators')
@UseGuards(ApiKeyGuard)
export class GetCreatorProfileController {
  constructor(
    private readonly profiles: CreatorProfiles,
    private readonly metering: MeteringService,
    private readonly tags: ProfileTags,
  ) {}

  @Get(':slug')
  async show(
    @CurrentCall() call: PublicCall,
    @Param('slug') slug: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    refuseParameters(request);
    const repeatable = repeatableCall(request, call, 'profile', { slug });
    const condition = request.headers['if-none-match'];
    if (condition !== undefined || repeatable.fingerprint !== undefined) {
      this.metering.refuseExcessive(call, reply);
    }
    const { json, metered } = await this.profiles.find(call, slug);
    const etag = this.tags.tagOf(json);
    const isUnchanged = this.tags.isNamed(condition, etag);
    const price = isUnchanged ? { credits: 0 } : {};
    await this.metering.respond(call, reply, { ...metered, ...price, ...repeatable }, (credits) => {
      void reply.headers({ etag, 'cache-control': revalidated });
      return isUnchanged ? null : profileBody(json, credits);
    });
  }
}

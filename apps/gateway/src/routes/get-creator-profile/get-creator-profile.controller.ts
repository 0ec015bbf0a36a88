import { getProfile, ServiceError, slugLengthMax, slugPattern } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Controller, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../authentication/api-key.guard.js';
import { MeteringService } from '../../charging/metering.service.js';
import { profilePrice } from '../../charging/price-search.js';
import { CurrentCall } from '../../http/call-of-request.js';
import { type PublicCall } from '../../http/public-call.js';
import { refuseParameters } from '../../http/refuse-parameters.js';
import { profileBody } from './profile-body.js';

/** `GET /creators/{slug}` (spec 4.2). */
@Controller('creators')
@UseGuards(ApiKeyGuard)
export class GetCreatorProfileController {
  constructor(
    private readonly services: ServiceClient,
    private readonly metering: MeteringService,
  ) {}

  @Get(':slug')
  async show(
    @CurrentCall() call: PublicCall,
    @Param('slug') slug: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    refuseParameters(request);
    if (slug.length > slugLengthMax || !slugPattern.test(slug)) throw noSuchCreator();

    const profile = await this.services.request(getProfile, { slug }, call.context());
    if (!profile.value.found) throw noSuchCreator();
    await this.metering.respond(call, reply, { operation: 'profile', credits: profilePrice }, (credits) =>
      profileBody(profile.bytes, credits),
    );
  }
}

function noSuchCreator(): ServiceError {
  return new ServiceError('not_found', 'No published creator has this slug.');
}

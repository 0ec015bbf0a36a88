import { forgetIdentities } from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CallContext } from '../call-context.js';
import { PersonBody } from './people.dto.js';

/** People who sign in, whatever their accounts. */
@Controller('people')
export class PeopleController {
  constructor(private readonly services: ServiceClient) {}

  /** How many identities of an OpenID provider were bound to the person with this address. Their sessions end. */
  @Post('unlink')
  @HttpCode(200)
  unlink(
    @Body() { email }: PersonBody,
    @CallContext() context: RequestContext,
  ): Promise<{ forgotten: number }> {
    return this.services.request(forgetIdentities, { email }, context);
  }
}

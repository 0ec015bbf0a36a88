import { getCreatorProfilesOperation, ProfilesToRead } from '#contracts';
import { Body, Controller } from '@nestjs/common';
import { type Found } from '../charging/price-search.js';
import { ManyProfiles } from '../creators/many-profiles.js';
import { type Call, CurrentCall } from '../requests/call.js';
import { Endpoint } from './endpoint.js';

@Controller()
export class GetCreatorProfilesController {
  constructor(private readonly profiles: ManyProfiles) {}

  @Endpoint(getCreatorProfilesOperation)
  show(@CurrentCall() call: Call, @Body() { creators }: ProfilesToRead): Promise<Found> {
    return this.profiles.find(call, creators);
  }
}

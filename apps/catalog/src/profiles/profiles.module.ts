import {
  CreatorPath,
  getProfile,
  GetProfileRequest,
  getPublicCreator,
  type PublicCreator,
  WithBytes,
} from '#contracts';
import { Controller, Module } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { CreatorsModule } from '../creators/creators.module.js';
import { DemandModule } from '../demand/demand.module.js';
import { ReadReplicasModule } from '../database/read-replicas.js';
import { SearchModule } from '../search/search.module.js';
import { BackgroundWork } from '../threads/background-work.js';
import { ProfilesService } from './profiles.service.js';

@Controller()
class ProfilesController {
  constructor(
    private readonly profiles: ProfilesService,
    private readonly background: BackgroundWork,
  ) {}

  @MessagePattern(getProfile.pattern)
  async profile(@Payload() { slug, latest }: GetProfileRequest): Promise<WithBytes<{ found: boolean }>> {
    this.background.noteCall();
    const profile = await this.profiles.find(slug, latest);
    return new WithBytes({ found: profile !== null }, profile ?? Buffer.alloc(0));
  }

  @MessagePattern(getPublicCreator.pattern)
  async publicCreator(@Payload() { slug }: CreatorPath): Promise<{ readonly creator: PublicCreator | null }> {
    return { creator: await this.profiles.findPublic(slug) };
  }
}

/** Published creators, one at a time. */
@Module({
  imports: [CreatorsModule, DemandModule, ReadReplicasModule, SearchModule],
  controllers: [ProfilesController],
  providers: [ProfilesService],
})
export class ProfilesModule {}

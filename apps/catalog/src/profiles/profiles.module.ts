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
import { SearchModule } from '../search/search.module.js';
import { ProfilesService } from './profiles.service.js';

@Controller()
class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  @MessagePattern(getProfile.pattern)
  async profile(@Payload() { slug, latest }: GetProfileRequest): Promise<WithBytes<{ found: boolean }>> {
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
  imports: [CreatorsModule, SearchModule],
  controllers: [ProfilesController],
  providers: [ProfilesService],
})
export class ProfilesModule {}

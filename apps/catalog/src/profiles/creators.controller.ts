import {
  CreatorPath,
  getProfile,
  GetProfileRequest,
  getProfiles,
  type GetProfilesReply,
  GetProfilesRequest,
  getPublicCreator,
  type PublicCreator,
  WithBytes,
  type CreatorView,
  deleteCreator,
  getCreator,
  GetCreatorRequest,
  listCreators,
  ListCreatorsRequest,
  type Page,
  publishCreator,
  PublishCreatorRequest,
  putCreator,
  type PutCreatorReply,
  PutCreatorRequest,
  unpublishCreators,
  type UnpublishCreatorsReply,
  UnpublishCreatorsRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { CreatorsService } from './creators.service.js';
import { TestCreators } from '../search/test-creators.js';
import { ProfilesService } from './profiles.service.js';

@Controller()
export class CreatorsController {
  constructor(
    private readonly creators: CreatorsService,
    private readonly profiles: ProfilesService,
    private readonly testCreators: TestCreators,
  ) {}

  @MessagePattern(getProfile.pattern)
  async profile(
    @Payload() { slug, latest, test }: GetProfileRequest,
  ): Promise<WithBytes<{ found: boolean }>> {
    const profile = test ? this.testCreators.profile(slug) : await this.profiles.find(slug, latest);
    return new WithBytes({ found: profile !== null }, profile ?? Buffer.alloc(0));
  }

  @MessagePattern(getProfiles.pattern)
  async manyProfiles(@Payload() { slugs, test }: GetProfilesRequest): Promise<WithBytes<GetProfilesReply>> {
    const profiles = test ? this.testCreators.profiles(slugs) : await this.profiles.findMany(slugs);
    const found = [...profiles].map(([slug, { length }]) => ({ slug, length }));
    return new WithBytes({ found }, Buffer.concat([...profiles.values()]));
  }

  @MessagePattern(getPublicCreator.pattern)
  async publicCreator(@Payload() { slug }: CreatorPath): Promise<{ readonly creator: PublicCreator | null }> {
    return { creator: await this.profiles.findPublic(slug) };
  }

  @MessagePattern(getCreator.pattern)
  show(@Payload() { slug, history }: GetCreatorRequest): Promise<CreatorView> {
    return this.creators.show(slug, history);
  }

  @MessagePattern(listCreators.pattern)
  list(@Payload() request: ListCreatorsRequest): Promise<Page<CreatorView>> {
    return this.creators.list(request);
  }

  @MessagePattern(unpublishCreators.pattern)
  unpublishSource(
    @Payload() request: UnpublishCreatorsRequest,
    @Ctx() context: MessageContext,
  ): Promise<UnpublishCreatorsReply> {
    return this.creators.unpublishSource(request, context);
  }

  @MessagePattern(putCreator.pattern)
  put(
    @Payload() { slug, record }: PutCreatorRequest,
    @Ctx() context: MessageContext,
  ): Promise<PutCreatorReply> {
    return this.creators.put(slug, record, context);
  }

  @MessagePattern(publishCreator.pattern)
  publish(
    @Payload() { slug, published }: PublishCreatorRequest,
    @Ctx() context: MessageContext,
  ): Promise<CreatorView> {
    return this.creators.publish(slug, published, context);
  }

  @MessagePattern(deleteCreator.pattern)
  async remove(@Payload() { slug }: CreatorPath, @Ctx() context: MessageContext): Promise<{ deleted: true }> {
    await this.creators.remove(slug, context);
    return { deleted: true };
  }
}

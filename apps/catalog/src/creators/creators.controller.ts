import {
  CreatorPath,
  type CreatorView,
  deleteCreator,
  getCreator,
  publishCreator,
  PublishCreatorRequest,
  putCreator,
  type PutCreatorReply,
  PutCreatorRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { CreatorsService } from './creators.service.js';

@Controller()
export class CreatorsController {
  constructor(private readonly creators: CreatorsService) {}

  @MessagePattern(getCreator.pattern)
  show(@Payload() { slug }: CreatorPath): Promise<CreatorView> {
    return this.creators.show(slug);
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

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
} from '@app/contracts';
import { MessageContext } from '@app/transport';
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
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<PutCreatorReply> {
    return this.creators.put(slug, record, remainingMs);
  }

  @MessagePattern(publishCreator.pattern)
  publish(
    @Payload() { slug, published }: PublishCreatorRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<CreatorView> {
    return this.creators.publish(slug, published, remainingMs);
  }

  @MessagePattern(deleteCreator.pattern)
  async remove(
    @Payload() { slug }: CreatorPath,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<{ deleted: true }> {
    await this.creators.remove(slug, remainingMs);
    return { deleted: true };
  }
}

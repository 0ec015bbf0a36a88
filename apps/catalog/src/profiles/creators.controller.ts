import {
  type CreatorView,
  deleteCreator,
  getCreator,
  getProfile,
  publishCreator,
  putCreator,
  type PutCreatorReply,
  WithBytes,
} from '@app/contracts';
import { MessageContext } from '@app/transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { BackgroundWork } from '../threads/background-work.js';
import { CreatorsService } from './creators.service.js';

interface Slug {
  readonly slug: string;
}

@Controller()
export class CreatorsController {
  constructor(
    private readonly creators: CreatorsService,
    private readonly background: BackgroundWork,
  ) {}

  @MessagePattern(getProfile.pattern)
  async profile(@Payload() { slug }: Slug): Promise<WithBytes<{ found: boolean }>> {
    this.background.noteCall();
    const profile = await this.creators.profile(slug);
    return new WithBytes({ found: profile !== null }, profile ?? Buffer.alloc(0));
  }

  @MessagePattern(getCreator.pattern)
  show(@Payload() { slug }: Slug): Promise<CreatorView> {
    return this.creators.show(slug);
  }

  @MessagePattern(putCreator.pattern)
  put(
    @Payload() { slug, record }: Slug & { record: unknown },
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<PutCreatorReply> {
    return this.creators.put(slug, record, remainingMs);
  }

  @MessagePattern(publishCreator.pattern)
  publish(
    @Payload() { slug, published }: Slug & { published: boolean },
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<CreatorView> {
    return this.creators.publish(slug, published, remainingMs);
  }

  @MessagePattern(deleteCreator.pattern)
  async remove(
    @Payload() { slug }: Slug,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<{ deleted: true }> {
    await this.creators.remove(slug, remainingMs);
    return { deleted: true };
  }
}

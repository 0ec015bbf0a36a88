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
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { BackgroundWork } from '../threads/background-work.js';
import { CreatorsService } from './creators.service.js';

interface Slug {
  readonly slug: string;
}

@Controller()
export class CreatorsMessages {
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
  put(@Payload() { slug, record }: Slug & { record: unknown }): Promise<PutCreatorReply> {
    return this.creators.put(slug, record);
  }

  @MessagePattern(publishCreator.pattern)
  publish(@Payload() { slug, published }: Slug & { published: boolean }): Promise<CreatorView> {
    return this.creators.publish(slug, published);
  }

  @MessagePattern(deleteCreator.pattern)
  async remove(@Payload() { slug }: Slug): Promise<{ deleted: true }> {
    await this.creators.remove(slug);
    return { deleted: true };
  }
}

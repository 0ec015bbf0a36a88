import {
  type CreatorView,
  type Duplicate,
  joinCreator,
  JoinCreatorRequest,
  listDuplicates,
  ListDuplicatesRequest,
  type Page,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller, Module } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { CreatorsModule } from '../creators/creators.module.js';
import { DuplicatesService } from './duplicates.service.js';
import { JoinService } from './join.service.js';

@Controller()
class DuplicatesController {
  constructor(
    private readonly duplicates: DuplicatesService,
    private readonly joins: JoinService,
  ) {}

  @MessagePattern(listDuplicates.pattern)
  list(@Payload() { limit, cursor }: ListDuplicatesRequest): Promise<Page<Duplicate>> {
    return this.duplicates.list(limit, cursor);
  }

  @MessagePattern(joinCreator.pattern)
  join(@Payload() { slug, into }: JoinCreatorRequest, @Ctx() context: MessageContext): Promise<CreatorView> {
    return this.joins.join(slug, into, context);
  }
}

/** Several records of one person: finding them, and making one of them. */
@Module({
  imports: [CreatorsModule],
  controllers: [DuplicatesController],
  providers: [DuplicatesService, JoinService],
})
export class DuplicatesModule {}

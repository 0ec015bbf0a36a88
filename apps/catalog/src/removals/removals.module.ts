import {
  getRemoval,
  listRemovals,
  type Page,
  PageRequest,
  readmitCreator,
  type Removal,
  RemovalPath,
  removeCreator,
  RemoveCreatorRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller, Module } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { CreatorsModule } from '../creators/creators.module.js';
import { RemovalsRepository } from './removals.repository.js';
import { RemovalsService } from './removals.service.js';

@Controller()
class RemovalsController {
  constructor(private readonly removals: RemovalsService) {}

  @MessagePattern(removeCreator.pattern)
  remove(@Payload() request: RemoveCreatorRequest, @Ctx() context: MessageContext): Promise<Removal> {
    return this.removals.remove(request, context);
  }

  @MessagePattern(getRemoval.pattern)
  show(@Payload() { removal_id }: RemovalPath): Promise<Removal> {
    return this.removals.show(removal_id);
  }

  @MessagePattern(listRemovals.pattern)
  list(@Payload() page: PageRequest): Promise<Page<Removal>> {
    return this.removals.list(page);
  }

  @MessagePattern(readmitCreator.pattern)
  readmit(@Payload() { removal_id }: RemovalPath, @Ctx() context: MessageContext): Promise<Removal> {
    return this.removals.readmit(removal_id, context);
  }
}

/** Creators who asked to be removed. */
@Module({
  imports: [CreatorsModule],
  controllers: [RemovalsController],
  providers: [RemovalsRepository, RemovalsService],
})
export class RemovalsModule {}

import { Module } from '@nestjs/common';
import { CreatorsModule } from '../creators/creators.module.js';
import { RemovalsController } from './removals.controller.js';
import { RemovalsRepository } from './removals.repository.js';
import { RemovalsService } from './removals.service.js';

/** Creators who asked to be removed. */
@Module({
  imports: [CreatorsModule],
  controllers: [RemovalsController],
  providers: [RemovalsRepository, RemovalsService],
  exports: [RemovalsRepository],
})
export class RemovalsModule {}

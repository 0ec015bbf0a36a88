import { Module } from '@nestjs/common';
import { AdministrationModule } from '../administration/administration.module.js';
import { CreatorsModule } from '../creators/creators.module.js';
import { RemovalsController } from './removals.controller.js';
import { RemovalsRepository } from './removals.repository.js';
import { RemovalsService } from './removals.service.js';

/** Creators who asked to be removed. */
@Module({
  imports: [AdministrationModule, CreatorsModule],
  controllers: [RemovalsController],
  providers: [RemovalsRepository, RemovalsService],
})
export class RemovalsModule {}

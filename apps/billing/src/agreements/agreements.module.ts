import { Module } from '@nestjs/common';
import { AgreementsController } from './agreements.controller.js';
import { AgreementsService } from './agreements.service.js';
import { DueGrantsStep } from './due-grants.step.js';

/** Enterprise agreements, and the sweep's step that makes their monthly grants. */
@Module({
  controllers: [AgreementsController],
  providers: [AgreementsService, DueGrantsStep],
  exports: [DueGrantsStep],
})
export class AgreementsModule {}

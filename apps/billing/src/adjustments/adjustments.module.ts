import { Module } from '@nestjs/common';
import { AdjustmentsController } from './adjustments.controller.js';
import { AdjustmentsService } from './adjustments.service.js';

/** Goodwill and corrections, once per reference. */
@Module({ controllers: [AdjustmentsController], providers: [AdjustmentsService] })
export class AdjustmentsModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PurchasesModule } from '../purchases/purchases.module.js';
import { Adjustment } from './adjustment.entity.js';
import { AdjustmentsController } from './adjustments.controller.js';
import { AdjustmentsRepository } from './adjustments.repository.js';
import { AdjustmentsService } from './adjustments.service.js';

/** Goodwill and corrections, once per reference. */
@Module({
  imports: [LedgerModule, PurchasesModule, TypeOrmModule.forFeature([Adjustment])],
  controllers: [AdjustmentsController],
  providers: [AdjustmentsRepository, AdjustmentsService],
  exports: [AdjustmentsRepository],
})
export class AdjustmentsModule {}

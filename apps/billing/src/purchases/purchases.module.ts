import { Module } from '@nestjs/common';
import { PurchasesController } from './purchases.controller.js';
import { PurchasesService } from './purchases.service.js';

/** The price list, and packs that were paid for. */
@Module({ controllers: [PurchasesController], providers: [PurchasesService] })
export class PurchasesModule {}

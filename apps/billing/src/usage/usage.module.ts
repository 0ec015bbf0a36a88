import { Module } from '@nestjs/common';
import { ReportsModule } from '../database/reports.module.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

/** Calls and credits by day, key and operation. */
@Module({ imports: [ReportsModule], controllers: [UsageController], providers: [UsageService] })
export class UsageModule {}

import { Module } from '@nestjs/common';
import { ReportsModule } from '../database/reports.module.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';

/** Accounts: made by operators, read with their balance and lots. */
@Module({ imports: [ReportsModule], controllers: [AccountsController], providers: [AccountsService] })
export class AccountsModule {}

import { Module } from '@nestjs/common';
import { ReportsModule } from '../database/reports.module.js';
import { StatementsController } from './statements.controller.js';
import { StatementsService } from './statements.service.js';

/** The entries of an account, newest first. */
@Module({ imports: [ReportsModule], controllers: [StatementsController], providers: [StatementsService] })
export class StatementsModule {}

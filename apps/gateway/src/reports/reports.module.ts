import { Module } from '@nestjs/common';
import { Reports } from './reports.js';

/** Reports on accounts, for the public API and the account pages together. */
@Module({ providers: [Reports], exports: [Reports] })
export class ReportsModule {}

import { Module } from '@nestjs/common';
import { KnownSessionsModule } from '../account-pages/sessions/known-sessions.module.js';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { KnownCallers } from './known-callers.js';
import { StrangerLine } from './stranger-line.js';
import { WorkBudget } from './work-budget.js';

/** The share of work that each network has without a known key or session. */
@Module({
  imports: [AuthenticationModule, KnownSessionsModule],
  providers: [KnownCallers, StrangerLine, WorkBudget],
  exports: [KnownCallers, StrangerLine],
})
export class StrangersModule {}

import { Module } from '@nestjs/common';
import { SiteModule } from '../account-pages/site.module.js';
import { BodyAllowance } from './body-allowance.js';
import { BodyBudget } from './body-budget.js';

/** How much of a body is read, and how much all bodies together may take. */
@Module({
  imports: [SiteModule],
  providers: [BodyAllowance, BodyBudget],
  exports: [BodyAllowance, BodyBudget],
})
export class BodiesModule {}

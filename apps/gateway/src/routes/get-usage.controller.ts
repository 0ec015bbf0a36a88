import { DaysQuery, getUsage, getUsageOperation, type Usage } from '@app/contracts';
import { Controller, Query } from '@nestjs/common';
import { Reports } from '../reports/reports.js';
import { usageRange } from '../reports/usage-range.js';
import { type Call, CurrentCall } from '../requests/call.js';
import { Endpoint } from './endpoint.js';

@Controller()
export class GetUsageController {
  constructor(private readonly reports: Reports) {}

  @Endpoint(getUsageOperation)
  show(@CurrentCall() call: Call, @Query() { from, to }: DaysQuery): Promise<Usage> {
    const days = usageRange(from, to, new Date());
    return this.reports.ask(getUsage, { account_id: call.key.account_id, ...days }, call);
  }
}

import { type Balance, getBalance, getBalanceOperation } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Controller } from '@nestjs/common';
import { type Call, CurrentCall } from '../requests/call.js';
import { Endpoint } from './endpoint.js';

@Controller()
export class GetBalanceController {
  constructor(private readonly services: ServiceClient) {}

  @Endpoint(getBalanceOperation)
  show(@CurrentCall() call: Call): Promise<Balance> {
    return this.services.request(getBalance, { account_id: call.key.account_id }, call);
  }
}

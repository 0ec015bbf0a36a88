import { AccountPath, type Balance, getBalance } from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { BalanceService } from './balance.service.js';

@Controller()
export class BalanceController {
  constructor(private readonly balances: BalanceService) {}

  @MessagePattern(getBalance.pattern)
  show(@Payload() { account_id }: AccountPath): Promise<Balance> {
    return this.balances.balance(account_id);
  }
}

import {
  closeAccount,
  CloseAccountRequest,
  erasePerson,
  ErasePersonRequest,
  type ErasureReply,
  getPersonReport,
  type PersonReport,
  PersonRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller, UseInterceptors } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { ReportsLimit } from '../../reports/common/reports-limit.interceptor.js';
import { ClosingService } from './closing.service.js';
import { ErasuresService } from './erasures.service.js';

/** Reports of what is stored about people, and erasures, for operators; closing of accounts, for their owners. */
@Controller()
export class ErasuresController {
  constructor(
    private readonly erasures: ErasuresService,
    private readonly closing: ClosingService,
  ) {}

  @MessagePattern(getPersonReport.pattern)
  @UseInterceptors(ReportsLimit)
  report(@Payload() request: PersonRequest): Promise<PersonReport> {
    return this.erasures.report(request);
  }

  @MessagePattern(erasePerson.pattern)
  erase(@Payload() request: ErasePersonRequest, @Ctx() context: MessageContext): Promise<ErasureReply> {
    return this.erasures.erase(request, context);
  }

  @MessagePattern(closeAccount.pattern)
  async close(
    @Payload() request: CloseAccountRequest,
    @Ctx() context: MessageContext,
  ): Promise<{ closed: true }> {
    await this.closing.close(request, context);
    return { closed: true };
  }
}

import {
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
import { ErasuresService } from './erasures.service.js';

/** What operators are asked about people by law: what is held about them, and to erase it. */
@Controller()
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  @MessagePattern(getPersonReport.pattern)
  @UseInterceptors(ReportsLimit)
  report(@Payload() request: PersonRequest): Promise<PersonReport> {
    return this.erasures.report(request);
  }

  @MessagePattern(erasePerson.pattern)
  erase(@Payload() request: ErasePersonRequest, @Ctx() context: MessageContext): Promise<ErasureReply> {
    return this.erasures.erase(request, context);
  }
}

import {
  AccountPath,
  type AccountView,
  resumeAccount,
  suspendAccount,
  SuspendAccountRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { SuspensionsService } from './suspensions.service.js';

@Controller()
export class SuspensionsController {
  constructor(private readonly suspensions: SuspensionsService) {}

  @MessagePattern(suspendAccount.pattern)
  suspend(@Payload() request: SuspendAccountRequest, @Ctx() context: MessageContext): Promise<AccountView> {
    return this.suspensions.suspend(request, context);
  }

  @MessagePattern(resumeAccount.pattern)
  resume(@Payload() request: AccountPath, @Ctx() context: MessageContext): Promise<AccountView> {
    return this.suspensions.resume(request, context);
  }
}

import {
  AccountPath,
  changeSignInRules,
  ChangeSignInRulesRequest,
  getSignInRules,
  setSignInRules,
  SetSignInRulesRequest,
  type SignInRules,
} from '@app/contracts';
import { MessageContext } from '@app/transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { SignInRulesService } from './sign-in-rules.service.js';

@Controller()
export class SignInRulesController {
  constructor(private readonly rules: SignInRulesService) {}

  @MessagePattern(getSignInRules.pattern)
  show(@Payload() { account_id }: AccountPath): Promise<SignInRules> {
    return this.rules.show(account_id);
  }

  @MessagePattern(changeSignInRules.pattern)
  change(
    @Payload() request: ChangeSignInRulesRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<SignInRules> {
    return this.rules.change(request, remainingMs);
  }

  @MessagePattern(setSignInRules.pattern)
  set(
    @Payload() request: SetSignInRulesRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<SignInRules> {
    return this.rules.set(request, remainingMs);
  }
}

import {
  confirmEmailChange,
  ConfirmEmailChangeRequest,
  createSignInLink,
  describeSignIn,
  finishSignInByCode,
  FinishSignInByCodeRequest,
  finishSignInByLink,
  FinishSignInByLinkRequest,
  forgetIdentities,
  ForgetIdentitiesRequest,
  type OpenSignInLink,
  requestEmailChange,
  RequestEmailChangeRequest,
  requestSignIn,
  type RequestSignInReply,
  RequestSignInRequest,
  type SessionView,
  describeSignInLink,
  SignInLinkPath,
  SignInLinkRequest,
  type SignInMethods,
  signInWithIdentity,
  SignInWithIdentityRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { EmailChanges } from './email-changes.service.js';
import { IdentitySignIn } from './identity-sign-in.service.js';
import { SignInRequests } from './sign-in-requests.js';
import { SignInService } from './sign-in.service.js';

@Controller()
export class SignInController {
  constructor(
    private readonly requests: SignInRequests,
    private readonly signIn: SignInService,
    private readonly identities: IdentitySignIn,
    private readonly emailChanges: EmailChanges,
  ) {}

  @MessagePattern(describeSignIn.pattern)
  describe(): SignInMethods {
    return this.requests.methods();
  }

  @MessagePattern(requestSignIn.pattern)
  request(@Payload() request: RequestSignInRequest): Promise<RequestSignInReply> {
    return this.requests.request(request);
  }

  @MessagePattern(createSignInLink.pattern)
  createLink(
    @Payload() request: SignInLinkRequest,
    @Ctx() context: MessageContext,
  ): Promise<{ email: string; valid_for_seconds: number }> {
    return this.requests.createLink(request, context);
  }

  @MessagePattern(describeSignInLink.pattern)
  showLink(@Payload() { token_hash }: SignInLinkPath): Promise<OpenSignInLink> {
    return this.signIn.showLink(token_hash);
  }

  @MessagePattern(finishSignInByLink.pattern)
  byLink(
    @Payload() request: FinishSignInByLinkRequest,
    @Ctx() context: MessageContext,
  ): Promise<SessionView> {
    return this.signIn.byLink(request, context);
  }

  @MessagePattern(finishSignInByCode.pattern)
  byCode(
    @Payload() request: FinishSignInByCodeRequest,
    @Ctx() context: MessageContext,
  ): Promise<SessionView> {
    return this.signIn.byCode(request, context);
  }

  @MessagePattern(signInWithIdentity.pattern)
  withIdentity(
    @Payload() request: SignInWithIdentityRequest,
    @Ctx() context: MessageContext,
  ): Promise<SessionView> {
    return this.identities.signIn(request, context);
  }

  @MessagePattern(requestEmailChange.pattern)
  requestEmailChange(@Payload() request: RequestEmailChangeRequest): Promise<RequestSignInReply> {
    return this.emailChanges.request(request);
  }

  @MessagePattern(confirmEmailChange.pattern)
  confirmEmailChange(
    @Payload() request: ConfirmEmailChangeRequest,
    @Ctx() context: MessageContext,
  ): Promise<{ email: string }> {
    return this.emailChanges.confirm(request, context);
  }

  @MessagePattern(forgetIdentities.pattern)
  async forgetIdentities(
    @Payload() request: ForgetIdentitiesRequest,
    @Ctx() context: MessageContext,
  ): Promise<{ forgotten: number }> {
    return { forgotten: await this.identities.forget(request, context) };
  }
}

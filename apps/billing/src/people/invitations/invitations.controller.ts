import {
  answerInvitation,
  AnswerInvitationRequest,
  InvitationPath,
  inviteMember,
  type InviteMemberReply,
  InviteMemberRequest,
  joinAccount,
  JoinAccountRequest,
  listInvitations,
  openAccount,
  OpenAccountRequest,
  type OwnInvitations,
  revokeInvitation,
  SessionRequest,
  type SessionView,
} from '@app/contracts';
import { MessageContext } from '@app/transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { InvitationsService } from './invitations.service.js';
import { OwnMembershipsService } from './own-memberships.service.js';

@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly memberships: OwnMembershipsService,
  ) {}

  @MessagePattern(inviteMember.pattern)
  invite(
    @Payload() request: InviteMemberRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<InviteMemberReply> {
    return this.invitations.invite(request, remainingMs);
  }

  @MessagePattern(revokeInvitation.pattern)
  async revoke(
    @Payload() path: InvitationPath,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<{ revoked: true }> {
    await this.invitations.revoke(path, remainingMs);
    return { revoked: true };
  }

  @MessagePattern(listInvitations.pattern)
  list(@Payload() { session_hash }: SessionRequest): Promise<OwnInvitations> {
    return this.memberships.list(session_hash);
  }

  @MessagePattern(answerInvitation.pattern)
  answer(
    @Payload() request: AnswerInvitationRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<SessionView> {
    return this.memberships.answer(request, remainingMs);
  }

  @MessagePattern(joinAccount.pattern)
  join(@Payload() request: JoinAccountRequest, @Ctx() { remainingMs }: MessageContext): Promise<SessionView> {
    return this.memberships.join(request, remainingMs);
  }

  @MessagePattern(openAccount.pattern)
  open(@Payload() request: OpenAccountRequest, @Ctx() { remainingMs }: MessageContext): Promise<SessionView> {
    return this.memberships.openAccount(request, remainingMs);
  }
}

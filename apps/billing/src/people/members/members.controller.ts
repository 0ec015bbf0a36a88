import {
  AccountPath,
  answerInvitation,
  AnswerInvitationRequest,
  changeMember,
  ChangeMemberRequest,
  InvitationPath,
  inviteMember,
  type InviteMemberReply,
  InviteMemberRequest,
  leaveAccount,
  LeaveAccountRequest,
  listInvitations,
  listMembers,
  type Members,
  type MemberView,
  openAccount,
  OpenAccountRequest,
  type OwnInvitations,
  removeMember,
  RemoveMemberRequest,
  revokeInvitation,
  SessionRequest,
  type SessionView,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { InvitationsService } from '../invitations/invitations.service.js';
import { MembersService } from './members.service.js';
import { OwnAccounts } from '../sign-in/own-accounts.js';

/** Members of accounts, as owners invite and manage them and as people join and leave. */
@Controller()
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly ownAccounts: OwnAccounts,
  ) {}

  @MessagePattern(listMembers.pattern)
  list(@Payload() { account_id }: AccountPath): Promise<Members> {
    return this.members.list(account_id);
  }

  @MessagePattern(changeMember.pattern)
  change(@Payload() request: ChangeMemberRequest, @Ctx() context: MessageContext): Promise<MemberView> {
    return this.members.change(request, context);
  }

  @MessagePattern(removeMember.pattern)
  async remove(
    @Payload() request: RemoveMemberRequest,
    @Ctx() context: MessageContext,
  ): Promise<{ removed: true }> {
    await this.members.remove(request, context);
    return { removed: true };
  }

  @MessagePattern(inviteMember.pattern)
  invite(
    @Payload() request: InviteMemberRequest,
    @Ctx() context: MessageContext,
  ): Promise<InviteMemberReply> {
    return this.invitations.invite(request, context);
  }

  @MessagePattern(revokeInvitation.pattern)
  async revoke(@Payload() path: InvitationPath, @Ctx() context: MessageContext): Promise<{ revoked: true }> {
    await this.invitations.revoke(path, context);
    return { revoked: true };
  }

  @MessagePattern(leaveAccount.pattern)
  leave(@Payload() request: LeaveAccountRequest, @Ctx() context: MessageContext): Promise<SessionView> {
    return this.members.leave(request, context);
  }

  @MessagePattern(listInvitations.pattern)
  listInvitations(@Payload() { session_hash }: SessionRequest): Promise<OwnInvitations> {
    return this.ownAccounts.offers(session_hash);
  }

  @MessagePattern(answerInvitation.pattern)
  answer(@Payload() request: AnswerInvitationRequest, @Ctx() context: MessageContext): Promise<SessionView> {
    return this.invitations.answer(request, context);
  }

  @MessagePattern(openAccount.pattern)
  open(@Payload() request: OpenAccountRequest, @Ctx() context: MessageContext): Promise<SessionView> {
    return this.ownAccounts.openAnother(request, context);
  }
}

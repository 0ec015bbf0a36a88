import {
  InvitationPath,
  inviteMember,
  type InviteMemberReply,
  InviteMemberRequest,
  revokeInvitation,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { InvitationsService } from './invitations.service.js';

@Controller()
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

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
}

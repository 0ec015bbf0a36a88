import {
  AccountPath,
  changeMember,
  ChangeMemberRequest,
  leaveAccount,
  LeaveAccountRequest,
  listMembers,
  type Members,
  type MemberView,
  removeMember,
  RemoveMemberRequest,
  type SessionView,
} from '@app/contracts';
import { MessageContext } from '@app/transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { MembersService } from './members.service.js';

@Controller()
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @MessagePattern(listMembers.pattern)
  list(@Payload() { account_id }: AccountPath): Promise<Members> {
    return this.members.list(account_id);
  }

  @MessagePattern(changeMember.pattern)
  change(
    @Payload() request: ChangeMemberRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<MemberView> {
    return this.members.change(request, remainingMs);
  }

  @MessagePattern(removeMember.pattern)
  async remove(
    @Payload() request: RemoveMemberRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<{ removed: true }> {
    await this.members.remove(request, remainingMs);
    return { removed: true };
  }

  @MessagePattern(leaveAccount.pattern)
  leave(
    @Payload() request: LeaveAccountRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<SessionView> {
    return this.members.leave(request, remainingMs);
  }
}

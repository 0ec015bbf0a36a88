import {
  AccountPath,
  addMember,
  AddMemberRequest,
  changeMember,
  ChangeMemberRequest,
  listMembers,
  MemberPath,
  type MemberView,
  removeMember,
} from '@app/contracts';
import { MessageContext } from '@app/transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { MembersService } from './members.service.js';

@Controller()
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @MessagePattern(listMembers.pattern)
  async list(@Payload() { account_id }: AccountPath): Promise<{ members: MemberView[] }> {
    return { members: await this.members.list(account_id) };
  }

  @MessagePattern(addMember.pattern)
  add(@Payload() request: AddMemberRequest, @Ctx() { remainingMs }: MessageContext): Promise<MemberView> {
    return this.members.add(request, remainingMs);
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
    @Payload() path: MemberPath,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<{ removed: true }> {
    await this.members.remove(path, remainingMs);
    return { removed: true };
  }
}

import {
  endSession,
  EndSessionRequest,
  getSession,
  type ListedSession,
  listSessions,
  SessionRequest,
  type SessionView,
  switchAccount,
  SwitchAccountRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { SessionsService } from './sessions.service.js';

@Controller()
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @MessagePattern(getSession.pattern)
  show(@Payload() { session_hash }: SessionRequest): Promise<SessionView> {
    return this.sessions.show(session_hash);
  }

  @MessagePattern(switchAccount.pattern)
  switchAccount(
    @Payload() request: SwitchAccountRequest,
    @Ctx() context: MessageContext,
  ): Promise<SessionView> {
    return this.sessions.switchAccount(request, context);
  }

  @MessagePattern(endSession.pattern)
  async end(@Payload() request: EndSessionRequest): Promise<{ ended: true }> {
    await this.sessions.end(request);
    return { ended: true };
  }

  @MessagePattern(listSessions.pattern)
  async list(@Payload() { session_hash }: SessionRequest): Promise<{ sessions: ListedSession[] }> {
    return { sessions: await this.sessions.list(session_hash) };
  }
}

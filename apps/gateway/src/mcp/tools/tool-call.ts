import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Metered, type MeteringService } from '../../charging/metering.service.js';
import { type Credits, type PaidAnswer } from '../../charging/paid-answer.js';
import { type PublicCall } from '../../http/calls/public-call.js';
import { type CallLimits } from '../../rate-limit/call-limits.js';
import { type RateLimitGroup } from '../../rate-limit/rate-limiter.js';

interface Services {
  readonly limits: CallLimits;
  readonly metering: MeteringService;
}

/** One authenticated call of a tool: how it is counted and charged for. */
export class ToolCall {
  private answer: PaidAnswer | null = null;

  constructor(
    readonly call: PublicCall,
    private readonly reply: FastifyReply,
    private readonly services: Services,
  ) {}

  get request(): FastifyRequest {
    return this.reply.request;
  }

  /** Throws `rate_limited` beyond the limit of the group. */
  admit(group: RateLimitGroup): Promise<void> {
    return this.services.limits.admit(group, this.call, this.reply);
  }

  /** Takes the credits, pending: they are spent once the result of the tool has been handed over, else given back. */
  async charge(metered: Metered): Promise<Credits> {
    if (this.answer) throw new Error('a call of a tool is charged once');
    this.answer = await this.services.metering.take(this.call, this.reply, metered);
    return this.answer.credits;
  }

  /** The answer that the credits were taken for; `null` when none were. */
  get paidAnswer(): PaidAnswer | null {
    return this.answer;
  }
}

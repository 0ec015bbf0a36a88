import { type Credits, type LimitGroup } from '@app/contracts';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Charge } from '../../charging/charge.js';
import { type Metered } from '../../charging/price-search.js';
import { type MeteringService } from '../../charging/metering.service.js';
import { type Call } from '../../requests/call.js';
import { type CallLimits } from '../../rate-limit/call-limits.js';

interface Services {
  readonly limits: CallLimits;
  readonly metering: MeteringService;
}

/** One authenticated call of a tool: how it is counted and charged for. */
export class ToolCall {
  private taken: Charge | null = null;

  constructor(
    private readonly reply: FastifyReply,
    private readonly services: Services,
  ) {}

  get call(): Call {
    return this.request.call;
  }

  get request(): FastifyRequest {
    return this.reply.request;
  }

  /** Throws `rate_limited` beyond the limit of the group. */
  admit(group: LimitGroup): Promise<void> {
    return this.services.limits.admit(group, this.reply);
  }

  /** Takes the credits, pending: they are spent once the result of the tool has been handed over, else given back. */
  async charge(metered: Metered): Promise<Credits> {
    if (this.taken) throw new Error('a call of a tool is charged once');
    this.taken = await this.services.metering.take(this.reply, metered);
    return this.taken.credits;
  }

  /** The charge of the call; `null` when none was taken. */
  get pendingCharge(): Charge | null {
    return this.taken;
  }
}

import { type Credits, type LimitGroup } from '#contracts';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Charge } from '../../charging/charge.js';
import { type Found, repetitionOf } from '../../charging/price-search.js';
import { type MeteringService } from '../../charging/metering.service.js';
import { type Call } from '../../requests/call.js';
import { idempotencyKeyOf } from '../../requests/read-request.js';
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

  /**
   * The key under which the call can be repeated: the argument, or else the header, which a client may send with every call of a
   * connection. Throws `invalid_request` for a bad header.
   */
  idempotencyKey(argument: string | undefined): string | undefined {
    return argument ?? idempotencyKeyOf(this.request);
  }

  /** Takes the credits, pending: they are spent once the result of the tool has been handed over, else given back. */
  async charge(found: Pick<Found, 'metered' | 'parameters'>, idempotencyKey?: string): Promise<Credits> {
    if (this.taken) throw new Error('a call of a tool is charged once');
    const repetition = repetitionOf(this.call.key.key_id, found, idempotencyKey);
    this.taken = await this.services.metering.reserve(this.reply, { ...found.metered, ...repetition });
    return this.taken.credits;
  }

  /** The charge of the call; `null` when none was taken. */
  get pendingCharge(): Charge | null {
    return this.taken;
  }
}

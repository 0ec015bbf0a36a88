import { refuseCall } from '../errors/refuse-call.js';
import { type PublicOperation } from '#contracts';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { firstValueFrom, type Observable, of } from 'rxjs';
import { FreeCallLimit } from '../rate-limit/unpaid-calls.js';
import { idempotencyKeyOf } from '../requests/read-request.js';
import { type Found, repetitionOf } from './price-search.js';
import { MeteringService } from './metering.service.js';

/** The operation that a handler answers. */
export const DeclaredOperation = Reflector.createDecorator<PublicOperation>();

/** What is sent: bytes, a stream of them, or nothing (304). */
type Payload = ReturnType<Awaited<ReturnType<MeteringService['reserve']>>['answer']>;

/** Charges for what a handler has found, and answers with it. An error on the way voids the charge. */
@Injectable()
export class PaidInterceptor implements NestInterceptor<Found, Payload> {
  constructor(
    private readonly metering: MeteringService,
    private readonly freeCalls: FreeCallLimit,
    private readonly reflector: Reflector,
  ) {}

  /** Throws `invalid_request` for a bad `Idempotency-Key`, and `rate_limited` for too many calls that cost nothing. */
  async intercept(context: ExecutionContext, next: CallHandler<Found>): Promise<Observable<Payload>> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const { paid } = this.reflector.get(DeclaredOperation, context.getHandler());
    try {
      const idempotencyKey = idempotencyKeyOf(request);
      const isConditional = request.headers['if-none-match'] !== undefined;
      // Searches are limited anyway. Before any work: an unchanged or repeated profile costs nothing, and many may all be unchanged.
      const mayBeFree = paid === 'profiles' || isConditional || idempotencyKey !== undefined;
      if (paid !== 'search' && mayBeFree) this.freeCalls.assertWithin(request.call.scope, reply);
      const found = await firstValueFrom(next.handle());
      return of(await this.charge(reply, found, idempotencyKey));
    } catch (reason) {
      return refuseCall(reason, request);
    }
  }

  private async charge(reply: FastifyReply, found: Found, idempotencyKey?: string): Promise<Payload> {
    const repetition = repetitionOf(reply.request.call.key.key_id, found, idempotencyKey);
    const charge = await this.metering.reserve(reply, { ...found.metered, ...repetition });
    try {
      const json = found.body(charge.credits);
      void reply.headers(found.headers);
      return charge.answer(reply, json);
    } catch (error) {
      charge.voidNow();
      throw error;
    }
  }
}

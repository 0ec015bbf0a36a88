import { ServiceError } from '@app/contracts';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';

/** A quarter of the messages that a replica handles at once: while Stripe is slow, calls go on. */
const atOnceMax = 16;

/** Bounds the messages in progress that wait for Stripe. Throws `unavailable` for one more. */
@Injectable()
export class PaymentsLimit implements NestInterceptor {
  private inProgress = 0;

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.inProgress >= atOnceMax) {
      throw new ServiceError('unavailable', 'Too many payments are being looked at; try again shortly.');
    }
    this.inProgress += 1;
    return next.handle().pipe(finalize(() => (this.inProgress -= 1)));
  }
}

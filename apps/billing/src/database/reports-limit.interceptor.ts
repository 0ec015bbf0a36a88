import { ServiceError } from '@app/contracts';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';

/** A quarter of the messages that a replica handles at once: the rest is always left for calls. */
const atOnceMax = 16;

/** How many messages for which only operators wait are under way: one count, whichever controllers take them. */
@Injectable()
export class ReportsInProgress {
  count = 0;
}

/**
 * Bounds how many messages for which only operators wait are under way at once, those that wait for a connection or share an
 * audit too. One more throws `unavailable` at once.
 */
@Injectable()
export class ReportsLimit implements NestInterceptor {
  constructor(private readonly inProgress: ReportsInProgress) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.inProgress.count >= atOnceMax) {
      throw new ServiceError('unavailable', 'Too many reports are asked for at once; try again shortly.');
    }
    this.inProgress.count += 1;
    return next.handle().pipe(finalize(() => (this.inProgress.count -= 1)));
  }
}

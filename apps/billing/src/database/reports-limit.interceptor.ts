import { ServiceError } from '@app/contracts';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';

/** A quarter of the messages that a replica handles at once; the rest is reserved for calls. */
const atOnceMax = 16;

/** Counts the reports in progress, across all controllers. */
@Injectable()
export class ReportsInProgress {
  count = 0;
}

/**
 * Bounds the reports in progress at once, including those that wait for a connection or share an audit. Throws
 * `unavailable` for one more.
 */
@Injectable()
export class ReportsLimit implements NestInterceptor {
  constructor(private readonly inProgress: ReportsInProgress) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.inProgress.count >= atOnceMax) {
      throw new ServiceError('unavailable', 'Too many reports are running; try again shortly.');
    }
    this.inProgress.count += 1;
    return next.handle().pipe(finalize(() => (this.inProgress.count -= 1)));
  }
}

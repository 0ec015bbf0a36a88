import { isRecord, ServiceError } from '#contracts';
import { FairQueue } from '#platform';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';

/** Bounds messages in progress by account. Throws `unavailable` for one that does not get its turn in time. */
@Injectable()
export abstract class MessagesLimit implements NestInterceptor {
  protected constructor(
    private readonly inProgress: FairQueue,
    private readonly refusal: string,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const end = await this.inProgress.enter(accountOf(context.switchToRpc().getData()));
    if (!end) throw new ServiceError('unavailable', this.refusal);
    return next.handle().pipe(finalize(end));
  }
}

/** A message about no account is an operator's, and has a share of its own. */
function accountOf(payload: unknown): unknown {
  return isRecord(payload) && typeof payload.account_id === 'string'
    ? payload.account_id
    : Symbol('operator');
}

/** Half of the messages that a replica handles at once, waiting ones included; the rest is reserved for calls. */
const bounds = { atOnceMax: 16, shareMax: 3, waitingMax: 16, waitingOfKeyMax: 8, waitMaxMs: 2_000 };

/** The reports in progress, across all controllers: at most 3 of an account, and a short line for more. */
@Injectable()
export class ReportsInProgress extends FairQueue {
  constructor() {
    super(bounds);
  }
}

/** Bounds the reports in progress at once, also while they wait for a connection or share an audit. */
@Injectable()
export class ReportsLimit extends MessagesLimit {
  constructor(inProgress: ReportsInProgress) {
    super(inProgress, 'Too many reports are running; try again shortly.');
  }
}

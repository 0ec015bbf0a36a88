import { isRecord, ServiceError } from '#contracts';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';

/** A quarter of the messages that a replica handles at once: while Stripe is slow, calls go on. */
const atOnceMax = 16;
const startsOfAccountMax = 2;

/** Bounds the purchases that wait for Stripe, and those of one account. Throws `unavailable` for one more. */
@Injectable()
export class StartsLimit implements NestInterceptor {
  private inProgress = 0;
  private readonly ofAccounts = new Map<unknown, number>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const payload = context.switchToRpc().getData<unknown>();
    const account = isRecord(payload) ? payload.account_id : undefined;
    const ofAccount = this.ofAccounts.get(account) ?? 0;
    if (this.inProgress >= atOnceMax || ofAccount >= startsOfAccountMax) throw tooMany();
    this.inProgress += 1;
    this.ofAccounts.set(account, ofAccount + 1);
    return next.handle().pipe(finalize(() => this.end(account)));
  }

  private end(account: unknown): void {
    this.inProgress -= 1;
    const left = (this.ofAccounts.get(account) ?? 0) - 1;
    if (left > 0) this.ofAccounts.set(account, left);
    else this.ofAccounts.delete(account);
  }
}

function tooMany(): ServiceError {
  return new ServiceError('unavailable', 'Too many payments are being processed; try again shortly.');
}

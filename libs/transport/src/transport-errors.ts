import { ServiceError } from '#contracts';
import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/** A fault on our side. The reason is only logged; the client is asked to try again. */
export function internal(cause?: unknown): ServiceError {
  return new ServiceError('internal', 'Something went wrong on our side; try again shortly.', { cause });
}

/** No replica can take a request now. The reason is only logged; the client is asked to try again. */
export function unavailable(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('unavailable', 'The service is temporarily unavailable; try again shortly.', {
    cause: new Error(reason, { cause }),
  });
}

/** The reply did not arrive in time; whether the request ran is unknown. */
export function deadlineExceeded(): ServiceError {
  return new ServiceError('deadline_exceeded', 'The service did not answer in time; try again shortly.');
}

/**
 * Passes a handler's error to the transport: a `ServiceError` keeps its code, everything else is logged there and
 * becomes `internal`. Nest's own filter would turn both into a message without a code. `translate` may map a known
 * error, such as an unreachable database, to a `ServiceError`.
 */
@Catch()
export class PassErrorsToTransport implements RpcExceptionFilter {
  constructor(private readonly translate: (error: unknown) => unknown = (error) => error) {}

  catch(error: unknown): Observable<never> {
    return throwError(() => this.translate(error));
  }
}

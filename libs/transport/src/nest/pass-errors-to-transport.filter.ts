import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

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

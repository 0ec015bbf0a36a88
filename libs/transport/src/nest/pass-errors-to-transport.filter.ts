import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/**
 * Hands what a handler raised to the transport: a `ServiceError` keeps its code, everything else is logged there and
 * becomes `internal`. Nest's own filter would turn both into one text without a code. `translate` may make a
 * `ServiceError` of an error that the service knows, such as a database that is away.
 */
@Catch()
export class PassErrorsToTransport implements RpcExceptionFilter {
  constructor(private readonly translate: (error: unknown) => unknown = (error) => error) {}

  catch(error: unknown): Observable<never> {
    return throwError(() => this.translate(error));
  }
}

import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/**
 * Hands what a handler raised to the transport as it is: a `ServiceError` keeps its code, everything else is logged there
 * and becomes `internal`. Nest's own filter would turn both into one text without a code.
 */
@Catch()
export class PassErrorsToTransport implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { exchangeOf } from '../connections/exchange-of-request.js';
import { RefusedError } from '../errors/refused.error.js';
import { sendError } from '../errors/send-error.js';
import { type Admission, type Release } from './admission.js';
import { type Caller } from './waiting-line.js';

/** Under whose name a request queues; `null` for one that is answered without the services. */
type CallerOf = (request: FastifyRequest) => Caller | null;

/**
 * Makes the requests that need the services wait for a slot. A slot is held from when the whole request has arrived
 * until the answer has been made: not while a slow client sends its body or takes its answer.
 */
export function admitRequests(server: FastifyInstance, admission: Admission, callerOf: CallerOf): void {
  const places = new WeakMap<FastifyRequest, Release>();
  server.addHook('preValidation', (request, reply, done) => {
    const caller = callerOf(request);
    if (caller === null) return done();
    admission.enter(caller, exchangeOf(request)).then(
      (release) => {
        places.set(request, release);
        done();
      },
      (error: unknown) => {
        // Answered here: passing an error through the filters costs more than the refusal.
        if (error instanceof RefusedError) sendError(reply, error);
        else done(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
  server.addHook('onSend', (request, reply, _payload, done) => {
    places.get(request)?.(reply.statusCode < 500);
    done();
  });
}

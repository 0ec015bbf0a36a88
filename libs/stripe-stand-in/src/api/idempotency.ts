import { StandInError } from '../books/stand-in-error.js';
import { type Reply } from './reply.js';

interface Stored {
  readonly fingerprint: string;
  readonly reply: Reply;
}

/**
 * Requests under an Idempotency-Key, which have one outcome: repeated, they get the first answer again, and with other
 * content they are refused. A request that was refused is not remembered.
 */
export class IdempotentRequests {
  private readonly stored = new Map<string, Stored>();

  /** `work` throws for a request that is refused. */
  run(key: string, fingerprint: string, work: () => Reply): Reply {
    const known = this.stored.get(key);
    if (!known) {
      const reply = work();
      this.stored.set(key, { fingerprint, reply });
      return reply;
    }
    if (known.fingerprint === fingerprint) {
      return { ...known.reply, headers: { 'idempotent-replayed': 'true' } };
    }
    const message =
      'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
      `Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new StandInError(400, message, { type: 'idempotency_error' });
  }
}

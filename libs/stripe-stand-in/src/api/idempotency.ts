import { StandInError } from '../books/stand-in-error.js';
import { type Reply } from './routes.js';

interface Stored {
  readonly fingerprint: string;
  readonly reply: Reply;
  readonly storedAt: number;
}

const keptMs = 86_400_000;

/**
 * Requests under an Idempotency-Key, which have one outcome for a day: repeated, they get the first answer again, also
 * when it was a failure, and with other content they are refused. A request whose work was not begun has no outcome:
 * one that was not allowed, had invalid parameters, or came too soon after others.
 */
export class IdempotentRequests {
  private readonly stored = new Map<string, Stored>();

  /** The stored answer; `undefined` when there is none. Throws for other content under the same key. */
  replay(key: string, fingerprint: string): Reply | undefined {
    const known = this.stored.get(key);
    if (!known || Date.now() - known.storedAt > keptMs) return undefined;
    if (known.fingerprint === fingerprint) {
      return { ...known.reply, headers: { ...known.reply.headers, 'idempotent-replayed': 'true' } };
    }
    const message =
      'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
      `Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new StandInError(400, message, { type: 'idempotency_error' });
  }

  store(key: string, fingerprint: string, reply: Reply): void {
    this.stored.set(key, { fingerprint, reply: structuredClone(reply), storedAt: Date.now() });
  }
}

import { type MessageContract } from '#contracts';
import { type RequestContext, type ServiceClient } from '#transport';

const timeoutMs = 1_000;

/** An answer that is the same for everyone: used for some time, however many visitors come. */
export abstract class CachedAnswer<Reply> {
  private answer: Promise<Reply | null> | undefined;
  private expiresAt = 0;

  /** `maxAgeMs`: how long an answer is used, or that there was none. */
  protected constructor(
    private readonly services: ServiceClient,
    private readonly contract: MessageContract<object, Reply>,
    private readonly maxAgeMs: number,
  ) {}

  /**
   * `null` without an answer. Only the first visitors wait for one: later ones get the last answer while the service is asked
   * again.
   */
  find(context: RequestContext): Promise<Reply | null> {
    const now = performance.now();
    if (this.answer && now < this.expiresAt) return this.answer;
    this.expiresAt = now + this.maxAgeMs;
    const asked = this.ask(context);
    this.answer ??= asked;
    void asked.then(() => (this.answer = asked));
    return this.answer;
  }

  private async ask(context: RequestContext): Promise<Reply | null> {
    try {
      return await this.services.request(this.contract, {}, { ...context, deadlineMs: timeoutMs });
    } catch {
      return null;
    }
  }
}

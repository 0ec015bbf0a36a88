import {
  type CatalogFacts,
  describeCatalog,
  describeSignIn,
  type MessageContract,
  type SignInMethods,
} from '#contracts';
import { type RequestContext, ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';

const timeoutMs = 1_000;

/** An answer that is the same for everyone: used for some time, however many visitors come. */
@Injectable()
abstract class CachedAnswer<Reply> {
  protected abstract readonly contract: MessageContract<object, Reply>;
  /** How long an answer is used, or that there was none. */
  protected abstract readonly maxAgeMs: number;
  private answer: Promise<Reply | null> | undefined;
  private expiresAt = 0;

  constructor(private readonly services: ServiceClient) {}

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

/** How large and how fresh the catalog is, which is asked every five minutes. */
@Injectable()
export class KnownCatalogFacts extends CachedAnswer<CatalogFacts> {
  protected readonly contract = describeCatalog;
  protected readonly maxAgeMs = 300_000;
}

/** How people can sign in, as billing says: pages that offer it must know. Billing is asked twice a minute. */
@Injectable()
export class KnownSignInMethods extends CachedAnswer<SignInMethods> {
  protected readonly contract = describeSignIn;
  protected readonly maxAgeMs = 30_000;
}

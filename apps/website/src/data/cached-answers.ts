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
abstract class CachedAnswer<Reply> {
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

/** How large and how fresh the catalog is, which is asked every five minutes. */
@Injectable()
export class KnownCatalogFacts extends CachedAnswer<CatalogFacts> {
  constructor(services: ServiceClient) {
    super(services, describeCatalog, 300_000);
  }
}

/** How people can sign in, as billing says: pages that offer it must know. Billing is asked twice a minute. */
@Injectable()
export class KnownSignInMethods extends CachedAnswer<SignInMethods> {
  constructor(services: ServiceClient) {
    super(services, describeSignIn, 30_000);
  }
}

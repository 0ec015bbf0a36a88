import { describeSignIn, type SignInMethods } from '#contracts';
import { type RequestContext, ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';

/** An answer of billing is used for so long: however many visitors come, billing is asked twice a minute. */
const rememberedMs = 30_000;
const timeoutMs = 1_000;

/** How people can sign in, as billing says: pages that offer it must know. */
@Injectable()
export class KnownSignInMethods {
  private answer: Promise<SignInMethods | null> | undefined;
  private askAgainAt = 0;

  constructor(private readonly services: ServiceClient) {}

  /**
   * `null` without an answer of billing. Only the first visitors wait for one: later ones get the last answer while billing is
   * asked again.
   */
  find(context: RequestContext): Promise<SignInMethods | null> {
    const now = performance.now();
    if (this.answer && now < this.askAgainAt) return this.answer;
    this.askAgainAt = now + rememberedMs;
    const asked = this.ask(context);
    this.answer ??= asked;
    void asked.then(() => (this.answer = asked));
    return this.answer;
  }

  private async ask(context: RequestContext): Promise<SignInMethods | null> {
    try {
      return await this.services.request(describeSignIn, {}, { ...context, deadlineMs: timeoutMs });
    } catch {
      return null;
    }
  }
}

import { ServiceError, signInWithIdentity } from '#contracts';
import { counter, type Logger, LOGGER } from '#platform';
import { ServiceClient } from '#transport';
import { Get, Inject } from '@nestjs/common';
import { SITE_ORIGIN } from '../../config/origins.js';
import { NetworkLimits } from '../../network-limits.js';
import { IdentityRefusal, loggable, refusalTexts } from '../../openid/identity-refusal.js';
import { OpenIdCookies } from '../../openid/openid-cookies.js';
import { OpenIdProvider, type VerifiedIdentity } from '../../openid/openid-provider.js';
import { pagePaths, returnPath } from '../../paths/page-paths.js';
import { Pages } from '../../rendering/pages.decorator.js';
import { CurrentGuest, type GuestRequest } from '../../sessions/member-request.js';
import { MemberSessions } from '../../sessions/member-sessions.js';
import { type FormResult, type PageView, SeeOther } from '../../view/page.js';
import { refusedIdentityPage } from './refused-identity.page.js';

const path = `${pagePaths.signIn}/provider`;
/** The time that billing gets at least, after the provider used most of the request's. */
const billingMsMin = 1_000;
const retryAfterSeconds = '1';
/** Billing refuses this person; its message says why. */
const personErrors: readonly string[] = ['forbidden', 'conflict', 'unauthorized'];

const signIns = counter(
  'provider_sign_ins_total',
  'Sign-ins with the OpenID provider, by how they ended; not counting those that people abandoned.',
  { outcome: ['signed_in', ...Object.keys(refusalTexts), 'failed'] },
);

/** Sign-in with the OpenID provider of the configuration. */
@Pages(path)
export class ProviderController {
  private readonly redirectUri: string;

  constructor(
    @Inject(SITE_ORIGIN) origin: string,
    private readonly services: ServiceClient,
    private readonly limits: NetworkLimits,
    private readonly provider: OpenIdProvider,
    private readonly pending: OpenIdCookies,
    private readonly sessions: MemberSessions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.redirectUri = `${origin}${path}/callback`;
  }

  @Get()
  async begin(@CurrentGuest() guest: GuestRequest): Promise<FormResult> {
    this.assertConfigured();
    const { request, reply, fields } = guest;
    await this.limits.admit('providerSignIns', request.ip);
    const returnTo = returnPath(fields.text('return_to'));
    try {
      const chooseAccount = fields.text('account') === 'another';
      const { url, attempt } = await this.provider.begin(this.redirectUri, chooseAccount);
      this.pending.set(request, reply, { ...attempt, returnTo });
      return new SeeOther(url.href);
    } catch (error) {
      return this.refuse(error, guest, returnTo);
    }
  }

  /** The redirect URI, to which the provider sends the browser back. */
  @Get('callback')
  async finish(@CurrentGuest() guest: GuestRequest): Promise<FormResult> {
    this.assertConfigured();
    const { request, reply, fields } = guest;
    await this.limits.admit('providerCallbacks', request.ip);
    const pending = this.pending.take(request, reply, fields.text('state'));
    try {
      if (!pending) {
        // "Back" in a browser that has signed in with it already.
        if (await this.sessions.find(request)) return new SeeOther(pagePaths.overview);
        throw new IdentityRefusal('unknown_attempt');
      }
      const callbackUrl = new URL(this.redirectUri);
      callbackUrl.search = new URL(request.url, callbackUrl).search;
      await this.signIn(await this.provider.finish(callbackUrl, pending), guest);
    } catch (error) {
      return this.refuse(error, guest, pending?.returnTo);
    }
    signIns.inc({ outcome: 'signed_in' });
    await this.limits.giveBack('providerCallbacks', request.ip);
    await this.limits.giveBack('providerSignIns', request.ip);
    return new SeeOther(pending.returnTo);
  }

  private async signIn(identity: VerifiedIdentity, guest: GuestRequest): Promise<void> {
    const { deadlineMs = 0, ...ofRequest } = guest.context();
    const context = { ...ofRequest, deadlineMs: Math.max(billingMsMin, deadlineMs) };
    const person = { ...identity, ...guest.sender };
    const ask = (session_hash: string) =>
      this.services.request(signInWithIdentity, { ...person, session_hash }, context);
    try {
      await this.sessions.begin(guest.reply, ask);
    } catch (error) {
      if (!(error instanceof ServiceError) || !personErrors.includes(error.code)) throw error;
      const details = { problem: loggable(error.message), subject: identity.subject };
      throw new IdentityRefusal('not_admitted', details, error.message);
    }
  }

  /** The page that says why; throws any other error. */
  private refuse(error: unknown, { request, reply }: GuestRequest, returnTo: string | undefined): PageView {
    if (!(error instanceof IdentityRefusal)) {
      // An internal error is logged by the filter.
      signIns.inc({ outcome: 'failed' });
      throw error;
    }
    const { reason, details } = error;
    signIns.inc({ outcome: reason });
    const fields = { request_id: request.id, reason, issuer: this.provider.issuer, ...details };
    this.logger.warn(fields, 'sign-in with the provider refused');
    const page = refusedIdentityPage(error, request.id, returnTo);
    if (page.status === 503) void reply.header('retry-after', retryAfterSeconds);
    return page;
  }

  private assertConfigured(): void {
    if (this.provider.issuer === undefined) throw new ServiceError('not_found', 'No such page.');
  }
}

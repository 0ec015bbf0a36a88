import {
  finishSignInByCode,
  finishSignInByLink,
  requestSignIn,
  ServiceError,
  type SessionView,
  describeSignInLink,
} from '#contracts';
import { newToken, sha256 } from '#platform';
import { ServiceClient } from '#transport';
import { Get, Inject, Post, UseGuards } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { SITE_ORIGIN } from '../../config/origins.js';
import { NetworkLimits } from '../../network-limits.js';
import { KnownSignInMethods } from '../../data/cached-answers.js';
import { OpenIdProvider } from '../../openid/openid-provider.js';
import { pagePaths, pagesPrefix, returnPath, withQuery } from '../../paths/page-paths.js';
import { Pages, PostForm } from '../../rendering/pages.decorator.js';
import { isToken } from '../../sessions/cookies.js';
import { CurrentGuest, type GuestRequest } from '../../sessions/member-request.js';
import { MemberSessions, nullIf } from '../../sessions/member-sessions.js';
import { GuestGuard } from '../../sessions/session.guard.js';
import { SignInCookie } from '../../sessions/sign-in-cookie.js';
import { type FormResult, type PageView, SeeOther } from '../../view/page.js';
import { codePage, linkPage, oldLinkPage, signInPage } from './sign-in.page.js';

const wrongCode = 'That code is wrong or has expired. After five attempts, request a new one.';

/** Sign-in and sign-up by mail, which differ only in their words: an address, then the code or the link that was sent to it. */
@Pages(pagesPrefix)
@UseGuards(GuestGuard)
export class SignInController {
  constructor(
    @Inject(SITE_ORIGIN) private readonly origin: string,
    private readonly services: ServiceClient,
    private readonly limits: NetworkLimits,
    private readonly pending: SignInCookie,
    private readonly sessions: MemberSessions,
    private readonly provider: OpenIdProvider,
    private readonly methods: KnownSignInMethods,
  ) {}

  @Get(['sign-in', 'sign-up'])
  async show(@CurrentGuest() guest: GuestRequest): Promise<PageView> {
    return signInPage({
      isSignUp: guest.fields.action.startsWith(pagePaths.signUp),
      methods: await this.methods.find(guest.context()),
      returnTo: wanted(guest),
      hasProvider: this.provider.issuer !== undefined,
      email: this.emailOf(guest),
    });
  }

  /** The next page is the same for every address, known or not. */
  @PostForm(['sign-in', 'sign-up'], { page: 'show', otherwise: 'email', codes: ['unavailable'] })
  async sendMail(@CurrentGuest() guest: GuestRequest): Promise<FormResult> {
    const { fields, request, reply } = guest;
    await this.limits.admit('signInMails', request.ip);
    const email = fields.email();
    // A secret of its own: a code that was sent before no longer counts in this browser.
    const token = newToken();
    const browser = { browser_hash: sha256(token), pages_url: this.origin + pagesPrefix, ...guest.sender };
    const asked = { email, sign_in_id: uuidv7(), ...browser };
    await this.services.request(requestSignIn, asked, guest.context());
    this.pending.set(reply, { token, email });
    return new SeeOther(withQuery(`${pagePaths.signIn}/code`, { return_to: wanted(guest) }));
  }

  @Get('sign-in/code')
  askCode(@CurrentGuest() guest: GuestRequest): FormResult {
    return this.emailOf(guest) === '' ? new SeeOther(pagePaths.signIn) : this.codeForm(guest);
  }

  codeForm(guest: GuestRequest): PageView {
    return codePage({ email: this.emailOf(guest), returnTo: wanted(guest) });
  }

  @PostForm('sign-in/code', { page: 'codeForm', otherwise: 'code', codes: ['unauthorized'] })
  async takeCode(@CurrentGuest() guest: GuestRequest): Promise<FormResult> {
    const code = guest.fields.text('code').replace(/\s/g, '');
    const proof = { browser_hash: sha256(guest.token), code, ...guest.sender };
    const isSignedIn = await this.begin(guest, /^[0-9]{6}$/.test(code), (session_hash) =>
      this.services.request(finishSignInByCode, { ...proof, session_hash }, guest.context()),
    );
    if (!isSignedIn) throw new ServiceError('unauthorized', wrongCode);
    return new SeeOther(returnPath(guest.fields.text('return_to')));
  }

  /** Names the person whom the link signs in, so that no one enters another's account unawares. */
  @Get('sign-in/link')
  async askLink(@CurrentGuest() guest: GuestRequest): Promise<PageView> {
    const token = guest.fields.text('token');
    const { ip } = guest.request;
    await this.limits.admit('signInCodes', ip);
    const proof = { token_hash: sha256(token) };
    const asked = isToken(token) && this.services.request(describeSignInLink, proof, guest.context());
    const link = asked && (await nullIf('unauthorized', asked));
    if (!link) return oldLinkPage();
    await this.limits.giveBack('signInCodes', ip);
    return linkPage(token, link);
  }

  @Post('sign-in/link')
  async takeLink(@CurrentGuest() guest: GuestRequest): Promise<FormResult> {
    const token = guest.fields.text('token');
    const proof = { token_hash: sha256(token), ...guest.sender };
    const isSignedIn = await this.begin(guest, isToken(token), (session_hash) =>
      this.services.request(finishSignInByLink, { ...proof, session_hash }, guest.context()),
    );
    return isSignedIn ? new SeeOther(pagePaths.overview) : oldLinkPage();
  }

  /** Begins a session if billing accepts the proof; billing is not asked unless it `canBe` one. */
  private async begin(
    guest: GuestRequest,
    canBe: boolean,
    ask: (session_hash: string) => Promise<SessionView>,
  ): Promise<boolean> {
    const { ip } = guest.request;
    await this.limits.admit('signInCodes', ip);
    const session = canBe && (await nullIf('unauthorized', this.sessions.begin(guest.reply, ask)));
    if (session) await this.limits.giveBack('signInCodes', ip);
    return Boolean(session);
  }

  /** The address that was last sent from this browser; empty without one. */
  private emailOf({ request }: GuestRequest): string {
    return this.pending.read(request)?.email ?? '';
  }
}

/** The page to go to afterwards, unless it is the overview. */
function wanted({ fields }: GuestRequest): string | undefined {
  const path = returnPath(fields.text('return_to'));
  return path === pagePaths.overview ? undefined : path;
}

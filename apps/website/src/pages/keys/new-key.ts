import { type KeyView } from '#contracts';
import { isWellFormedApiKey } from '#platform';
import { Injectable } from '@nestjs/common';
import { pagePaths } from '../../paths/page-paths.js';
import { Cookies } from '../../sessions/cookies.js';
import { type MemberRequest } from '../../sessions/member-request.js';
import { SealedTexts } from '../../sessions/sealed-texts.js';

const maxAgeSeconds = 120;

/**
 * A new key on its way from the form that created it to the page that shows it, which is loaded next. Only the browser keeps
 * it: in a cookie of that page, sealed with the token of the session, for two minutes, until the page is shown.
 */
@Injectable()
export class NewKeyCookie {
  constructor(private readonly cookies: Cookies) {}

  /** Not for a key that was created or rotated earlier: a form that is sent again does not show its key again. */
  set({ reply, token }: MemberRequest, { id, created_at, rotated_at }: KeyView, secret: string): void {
    if (Date.parse(rotated_at ?? created_at) < Date.now() - maxAgeSeconds * 1_000) return;
    this.cookies.set(reply, 'new-key', sealedFor(token, id).seal({ secret }), maxAgeSeconds, newKeyPath(id));
  }

  /** The key, once; `undefined` when it was shown before, in another session, or was not asked for in time. */
  take({ request, reply, token }: MemberRequest, id: string): string | undefined {
    const cookie = this.cookies.read(request, 'new-key');
    // A response to HEAD shows nothing.
    if (cookie === undefined || request.method === 'HEAD') return undefined;
    this.cookies.clear(reply, 'new-key', newKeyPath(id));
    const { secret } = sealedFor(token, id).open(cookie) ?? {};
    return secret !== undefined && isWellFormedApiKey(secret) ? secret : undefined;
  }
}

function sealedFor(token: string, id: string): SealedTexts<'secret'> {
  return new SealedTexts(token, `the new API key ${id}`, maxAgeSeconds);
}

/** The page that shows a new key once. */
export function newKeyPath(id: string): string {
  return `${pagePaths.keys}/${id}/new`;
}

import { Post } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { homePath, pagePaths } from '../paths/page-paths.js';
import { Cookies } from '../sessions/cookies.js';
import { FormCheck } from '../sessions/form-check.js';
import { CurrentGuest, type GuestRequest } from '../sessions/member-request.js';
import { readTheme, SeeOther } from '../view/page.js';
import { Pages } from './pages.decorator.js';

const maxAgeSeconds = 365 * 24 * 3_600;

/** The switch between light and dark at the end of every page, for members and guests. */
@Pages(pagePaths.theme)
export class ThemeController {
  constructor(
    private readonly cookies: Cookies,
    private readonly forms: FormCheck,
  ) {}

  @Post()
  setTheme(@CurrentGuest() { request, reply, fields }: GuestRequest): SeeOther {
    this.forms.assertOrigin(request);
    this.cookies.set(reply, 'theme', readTheme(fields.text('theme')), maxAgeSeconds);
    return new SeeOther(pageBefore(request));
  }
}

/** Path and query of the page with the form. The leading slash is ours, so that a `Referer` cannot lead to another site. */
function pageBefore({ headers }: FastifyRequest): string {
  if (headers.referer === undefined || !URL.canParse(headers.referer)) return homePath;
  const { pathname, search } = new URL(headers.referer);
  return pathname.replace(/^[/\\]+/, '/') + search;
}

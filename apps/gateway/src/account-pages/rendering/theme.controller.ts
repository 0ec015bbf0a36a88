import { Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { homePath, pagePaths } from '../paths/page-paths.js';
import { Cookies } from '../sessions/cookies.js';
import { FormCheck } from '../sessions/form-check.js';
import { Form, type FormFields } from '../view/forms.js';
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
  setTheme(
    @Form() form: FormFields,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): SeeOther {
    this.forms.assertOrigin(request);
    this.cookies.set(reply, 'theme', readTheme(form.text('theme')), maxAgeSeconds);
    return new SeeOther(pageBefore(request));
  }
}

/** Path and query of the page that had the form. The first slash is ours: no `Referer` leads to another site. */
function pageBefore({ headers }: FastifyRequest): string {
  if (headers.referer === undefined || !URL.canParse(headers.referer)) return homePath;
  const { pathname, search } = new URL(headers.referer);
  return pathname.replace(/^[/\\]+/, '/') + search;
}

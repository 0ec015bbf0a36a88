import { Controller, Post, Req, Res, UseFilters, UseInterceptors } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { homePath, pagePaths } from '../paths/page-paths.js';
import { Cookies } from '../sessions/cookies.js';
import { Form, type FormFields } from '../sessions/form-fields.js';
import { SameOrigin } from '../sessions/same-origin.js';
import { SeeOther } from '../view/page.js';
import { readTheme } from '../view/theme.js';
import { PageErrorFilter } from './page-error.filter.js';
import { PageInterceptor } from './page.interceptor.js';

const maxAgeSeconds = 365 * 24 * 3_600;

/** The switch between light and dark at the end of every page, for members and visitors. */
@Controller(pagePaths.theme)
@UseInterceptors(PageInterceptor)
@UseFilters(PageErrorFilter)
export class ThemeController {
  constructor(
    private readonly cookies: Cookies,
    private readonly sameOrigin: SameOrigin,
  ) {}

  @Post()
  setTheme(
    @Form() form: FormFields,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): SeeOther {
    this.sameOrigin.assert(request);
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

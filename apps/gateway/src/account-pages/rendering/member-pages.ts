import { applyDecorators, Controller, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { SessionGuard } from '../sessions/session.guard.js';
import { PageErrorFilter } from './page-error.filter.js';
import { PageInterceptor } from './page.interceptor.js';

/** A controller of pages for members who are signed in. */
export function MemberPages(path: string): ClassDecorator {
  return applyDecorators(
    Controller(path),
    UseGuards(SessionGuard),
    UseInterceptors(PageInterceptor),
    UseFilters(PageErrorFilter),
  );
}

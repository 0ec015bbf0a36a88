import { applyDecorators, Controller, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { SessionGuard } from '../sessions/session.guard.js';
import { PageErrorFilter } from './page-error.filter.js';
import { PageInterceptor } from './page.interceptor.js';

/** A controller whose handlers return pages. Its errors are pages too. */
export function Pages(path: string): ClassDecorator {
  return applyDecorators(Controller(path), UseInterceptors(PageInterceptor), UseFilters(PageErrorFilter));
}

/** The same for members who are signed in. */
export function MemberPages(path: string): ClassDecorator {
  return applyDecorators(Pages(path), UseGuards(SessionGuard));
}

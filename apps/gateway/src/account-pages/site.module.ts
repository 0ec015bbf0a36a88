import { Module } from '@nestjs/common';
import { PreparedAnswers } from '../prepared/prepared-answers.js';
import { KnownSignInMethods } from './data/known-sign-in-methods.js';
import { HomeController } from './pages/home/home.controller.js';
import { SiteFilesController } from './pages/home/site-files.controller.js';
import { ErrorPages } from './rendering/error-pages.js';
import { PageErrorFilter } from './rendering/page-error.filter.js';
import { PageFiles } from './rendering/page-files.js';
import { PageFilesController } from './rendering/page-files.controller.js';
import { PageInterceptor } from './rendering/page.interceptor.js';
import { PageRenderer } from './rendering/page-renderer.js';
import { ThemeController } from './rendering/theme.controller.js';
import { KnownSessionsModule } from './sessions/known-sessions.module.js';
import { SameOrigin } from './sessions/same-origin.js';

const shared = [PageErrorFilter, PageFiles, PageInterceptor, PageRenderer, SameOrigin];

/** What every browser gets at the public port, with account pages or without: home, errors as pages, their look. */
@Module({
  imports: [KnownSessionsModule],
  controllers: [HomeController, PageFilesController, SiteFilesController, ThemeController],
  providers: [...shared, ErrorPages, KnownSignInMethods, PreparedAnswers],
  exports: [KnownSessionsModule, KnownSignInMethods, ...shared],
})
export class SiteModule {}

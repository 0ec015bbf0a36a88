import { Module } from '@nestjs/common';
import { PreparedAnswers } from '../answers/prepared-answers.js';
import { KnownSignInMethods } from './data/sign-in-methods.js';
import { HomeController } from './pages/home/home.controller.js';
import { ErrorPages } from './rendering/error-pages.js';
import { PageErrorFilter } from './rendering/page-error.filter.js';
import { PageFiles } from './rendering/page-files.js';
import { PageFilesController } from './rendering/page-files.controller.js';
import { PageInterceptor } from './rendering/page.interceptor.js';
import { PageRenderer } from './rendering/page-renderer.js';
import { KnownSessionsModule } from './sessions/known-sessions.js';
import { FormCheck } from './sessions/form-check.js';

const shared = [PageErrorFilter, PageFiles, PageInterceptor, PageRenderer, FormCheck];

/** What every browser gets at the public port, with account pages or without: home, errors as pages, their look. */
@Module({
  imports: [KnownSessionsModule],
  controllers: [HomeController, PageFilesController],
  providers: [...shared, ErrorPages, KnownSignInMethods, PreparedAnswers],
  exports: [KnownSessionsModule, KnownSignInMethods, ...shared],
})
export class SiteModule {}

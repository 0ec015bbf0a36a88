import { Module } from '@nestjs/common';
import { TokenBucket } from '../authentication/token-bucket.js';
import { PreparedAnswers } from '../prepared/prepared-answers.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { AccountData } from './data/account-data.js';
import { OpenIdCookie } from './openid/openid-cookie.js';
import { OpenIdProvider } from './openid/openid-provider.js';
import { BuyController } from './pages/buy/buy.controller.js';
import { CallController } from './pages/calls/call.controller.js';
import { CreatorController } from './pages/creator/creator.controller.js';
import { KeysController } from './pages/keys/keys.controller.js';
import { OverviewController } from './pages/overview/overview.controller.js';
import { SessionController } from './pages/preferences/session.controller.js';
import { MembersController } from './pages/settings/members.controller.js';
import { NoticesController } from './pages/settings/notices.controller.js';
import { SettingsController } from './pages/settings/settings.controller.js';
import { SettingsView } from './pages/settings/settings-view.service.js';
import { ProviderController } from './pages/sign-in/provider.controller.js';
import { SignInController } from './pages/sign-in/sign-in.controller.js';
import { StatementController } from './pages/statement/statement.controller.js';
import { UsageController } from './pages/usage/usage.controller.js';
import { ErrorPages } from './rendering/error-pages.js';
import { PageErrorFilter } from './rendering/page-error.filter.js';
import { PageFiles } from './rendering/page-files.js';
import { PageFilesController } from './rendering/page-files.controller.js';
import { PageInterceptor } from './rendering/page.interceptor.js';
import { PageRenderer } from './rendering/page-renderer.js';
import { Cookies } from './sessions/cookies.js';
import { FormCheck } from './sessions/form-check.js';
import { MemberSessions } from './sessions/member-sessions.js';
import { SameOrigin } from './sessions/same-origin.js';
import { SessionGuard } from './sessions/session.guard.js';
import { SignInCookie } from './sessions/sign-in-cookie.js';
import { VisitorGuard } from './sessions/visitor.guard.js';

/** What customers open in a browser: their account, at the root of the public port. */
@Module({
  imports: [RateLimitModule],
  controllers: [
    BuyController,
    CallController,
    CreatorController,
    KeysController,
    MembersController,
    NoticesController,
    OverviewController,
    PageFilesController,
    ProviderController,
    SessionController,
    SettingsController,
    SignInController,
    StatementController,
    UsageController,
  ],
  providers: [
    AccountData,
    Cookies,
    ErrorPages,
    FormCheck,
    MemberSessions,
    OpenIdCookie,
    OpenIdProvider,
    PageErrorFilter,
    PageFiles,
    PageInterceptor,
    PageRenderer,
    PreparedAnswers,
    SameOrigin,
    SessionGuard,
    SettingsView,
    SignInCookie,
    TokenBucket,
    VisitorGuard,
  ],
})
export class AccountPagesModule {}

import { Module } from '@nestjs/common';
import { TokenBucket } from '../authentication/token-bucket.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { AccountData } from './data/account-data.js';
import { OpenIdCookies } from './openid/openid-cookies.js';
import { OpenIdProvider } from './openid/openid-provider.js';
import { ProviderMetadata } from './openid/provider-metadata.js';
import { ProviderSignIns } from './openid/provider-sign-ins.js';
import { OwnAccountsController } from './pages/accounts/accounts.controller.js';
import { BuyController } from './pages/buy/buy.controller.js';
import { CallController } from './pages/calls/call.controller.js';
import { CreatorController } from './pages/creator/creator.controller.js';
import { KeysController } from './pages/keys/keys.controller.js';
import { NewKeyCookie } from './pages/keys/new-key-cookie.js';
import { OverviewController } from './pages/overview/overview.controller.js';
import { SessionController } from './pages/preferences/session.controller.js';
import { AccountController } from './pages/settings/account.controller.js';
import { MembersController } from './pages/settings/members.controller.js';
import { NoticesController } from './pages/settings/notices.controller.js';
import { SettingsController } from './pages/settings/settings.controller.js';
import { SettingsView } from './pages/settings/settings-view.service.js';
import { SignInRulesController } from './pages/settings/sign-in-rules.controller.js';
import { ProviderController } from './pages/sign-in/provider.controller.js';
import { SignInController } from './pages/sign-in/sign-in.controller.js';
import { StatementController } from './pages/statement/statement.controller.js';
import { UsageController } from './pages/usage/usage.controller.js';
import { FormCheck } from './sessions/form-check.js';
import { MemberSessions } from './sessions/member-sessions.js';
import { SessionGuard } from './sessions/session.guard.js';
import { SessionLookUps } from './sessions/session-look-ups.js';
import { SignInCookie } from './sessions/sign-in-cookie.js';
import { VisitorGuard } from './sessions/visitor.guard.js';
import { WantedAccount } from './sessions/wanted-account.js';
import { SiteModule } from './site.module.js';

/** What customers open in a browser: their account, at the root of the public port. */
@Module({
  imports: [RateLimitModule, ReportsModule, SiteModule],
  controllers: [
    AccountController,
    BuyController,
    CallController,
    CreatorController,
    KeysController,
    MembersController,
    NoticesController,
    OwnAccountsController,
    OverviewController,
    ProviderController,
    SessionController,
    SettingsController,
    SignInController,
    SignInRulesController,
    StatementController,
    UsageController,
  ],
  providers: [
    AccountData,
    FormCheck,
    MemberSessions,
    NewKeyCookie,
    OpenIdCookies,
    OpenIdProvider,
    ProviderMetadata,
    ProviderSignIns,
    SessionGuard,
    SessionLookUps,
    SettingsView,
    SignInCookie,
    TokenBucket,
    VisitorGuard,
    WantedAccount,
  ],
})
export class AccountPagesModule {}

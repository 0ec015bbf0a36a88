import { Module } from '@nestjs/common';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { ReportsModule } from '../reports/reports.js';
import { AccountData } from './data/account-data.js';
import { OpenIdCookies } from './openid/openid-cookies.js';
import { OpenIdProvider } from './openid/openid-provider.js';
import { ProviderMetadata } from './openid/provider-metadata.js';
import { AccountsController } from './pages/accounts/accounts.controller.js';
import { BuyController } from './pages/buy/buy.controller.js';
import { CreatorController } from './pages/creator/creator.controller.js';
import { KeysController } from './pages/keys/keys.controller.js';
import { NewKeyCookie } from './pages/keys/new-key.js';
import { OverviewController } from './pages/overview/overview.controller.js';
import { SettingsController } from './pages/settings/settings.controller.js';
import { ProviderController } from './pages/sign-in/provider.controller.js';
import { SignInController } from './pages/sign-in/sign-in.controller.js';
import { StatementController } from './pages/statement/statement.controller.js';
import { UsageController } from './pages/usage/usage.controller.js';
import { MemberSessions } from './sessions/member-sessions.js';
import { GuestGuard, SessionGuard } from './sessions/session.guard.js';
import { SessionLookUps } from './sessions/session-look-ups.js';
import { SignInCookie } from './sessions/sign-in-cookie.js';
import { SiteModule } from './site.module.js';

/** The account pages of customers, at the root of the public port. */
@Module({
  imports: [RateLimitModule, ReportsModule, SiteModule],
  controllers: [
    BuyController,
    CreatorController,
    KeysController,
    AccountsController,
    OverviewController,
    ProviderController,
    SettingsController,
    SignInController,
    StatementController,
    UsageController,
  ],
  providers: [
    AccountData,
    MemberSessions,
    NewKeyCookie,
    OpenIdCookies,
    OpenIdProvider,
    ProviderMetadata,
    SessionGuard,
    SessionLookUps,
    SignInCookie,
    GuestGuard,
  ],
})
export class AccountPagesModule {}

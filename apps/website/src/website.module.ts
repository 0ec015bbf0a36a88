import { serviceNames } from '#contracts';
import { RateLimiterModule, Readiness, ReportsModule, Shutdown } from '#http';
import { type Logger, PlatformModule } from '#platform';
import { TransportModule } from '#transport';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { OriginsModule } from './config/origins.js';
import { AccountData } from './data/account-data.js';
import { KnownCatalogFacts, KnownSignInMethods } from './data/cached-answers.js';
import { OpenIdCookies } from './openid/openid-cookies.js';
import { OpenIdProvider } from './openid/openid-provider.js';
import { AccountsController } from './pages/accounts/accounts.controller.js';
import { BuyController } from './pages/buy/buy.controller.js';
import { CreatorController } from './pages/creator/creator.controller.js';
import { KeysController } from './pages/keys/keys.controller.js';
import { NewKeyCookie } from './pages/keys/new-key.js';
import { OverviewController } from './pages/overview/overview.controller.js';
import { EmailController } from './pages/settings/email.controller.js';
import { SettingsController } from './pages/settings/settings.controller.js';
import { ProviderController } from './pages/sign-in/provider.controller.js';
import { SignInController } from './pages/sign-in/sign-in.controller.js';
import { StatementController } from './pages/statement/statement.controller.js';
import { UsageController } from './pages/usage/usage.controller.js';
import { MemberSessions } from './sessions/member-sessions.js';
import { GuestGuard, SessionGuard } from './sessions/session.guard.js';
import { SignInCookie } from './sessions/sign-in-cookie.js';
import { NetworkLimits } from './network-limits.js';
import { HomeController } from './pages/home/home.controller.js';
import { PaymentEventsController } from './payment-events/payment-events.controller.js';
import { PageErrorFilter } from './rendering/page-error.filter.js';
import { PageFilesController } from './rendering/page-files.controller.js';
import { PageRenderer } from './rendering/page-renderer.js';
import { Cookies } from './sessions/cookies.js';
import { FormCheck } from './sessions/form-check.js';
import { KeptForms } from './sessions/kept-forms.js';
import { type WebsiteConfig } from './config/website-config.js';

/** Parts that the website is created from. */
export interface WebsiteOptions {
  readonly config: WebsiteConfig;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}

/** The account pages of customers, the pages for everyone, and the events of the payment provider. */
@Module({
  imports: [OriginsModule, RateLimiterModule.forRoot('website:limit'), ReportsModule],
  controllers: [
    BuyController,
    CreatorController,
    EmailController,
    KeysController,
    AccountsController,
    OverviewController,
    ProviderController,
    SettingsController,
    SignInController,
    StatementController,
    UsageController,
    HomeController,
    PageFilesController,
    PaymentEventsController,
  ],
  providers: [
    AccountData,
    MemberSessions,
    NewKeyCookie,
    OpenIdCookies,
    OpenIdProvider,
    SessionGuard,
    SignInCookie,
    GuestGuard,
    Cookies,
    FormCheck,
    KeptForms,
    KnownCatalogFacts,
    KnownSignInMethods,
    NetworkLimits,
    PageRenderer,
    Readiness,
    { provide: APP_FILTER, useClass: PageErrorFilter },
  ],
})
export class WebsiteModule {
  static forRoot({ config, logger, shutdown }: WebsiteOptions): DynamicModule {
    return {
      module: WebsiteModule,
      imports: [
        PlatformModule.forRoot(config, logger),
        // Without Redis, people get a page that says so.
        TransportModule.forRoot({ door: 'website', callsServices: serviceNames, isReadyWithoutRedis: true }),
      ],
      providers: [{ provide: Shutdown, useValue: shutdown }],
    };
  }
}

import { Module } from '@nestjs/common';
import { Cookies } from './cookies.js';
import { KnownSessions } from './known-sessions.js';

/** Which sessions are known, for the pages and for what is decided before any page is asked. */
@Module({ providers: [Cookies, KnownSessions], exports: [Cookies, KnownSessions] })
export class KnownSessionsModule {}

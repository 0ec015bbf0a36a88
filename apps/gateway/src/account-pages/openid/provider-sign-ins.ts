import { counter, LOGGER, type Logger } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { type IdentityRefusal, refusalReasons } from './identity-refusal.js';
import { OpenIdProvider } from './openid-provider.js';

const signIns = counter(
  'provider_sign_ins_total',
  'Sign-ins with the OpenID provider, by how they ended; not those that people began and left.',
  { outcome: ['signed_in', ...refusalReasons, 'failed'] },
);

/** Counts sign-ins with the provider, and says in the log why one was refused. */
@Injectable()
export class ProviderSignIns {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly provider: OpenIdProvider,
  ) {}

  noteSuccess(): void {
    signIns.inc({ outcome: 'signed_in' });
  }

  /** A fault of ours, which is logged where it is shown. */
  noteFailure(): void {
    signIns.inc({ outcome: 'failed' });
  }

  noteRefusal({ reason, details }: IdentityRefusal, requestId: string): void {
    signIns.inc({ outcome: reason });
    const { issuer } = this.provider;
    this.logger.warn(
      { request_id: requestId, reason, issuer, ...details },
      'sign-in with the provider refused',
    );
  }
}

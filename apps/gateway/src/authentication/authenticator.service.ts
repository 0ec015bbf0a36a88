import { type AuthenticatedKey, ServiceError } from '@app/contracts';
import { hashApiKey, isWellFormedApiKey } from '@app/platform';
import { type RequestContext } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { bearerToken } from './bearer.js';
import { AccountLinks } from '../account-pages/paths/account-links.js';
import { KeyCache } from './key-cache.js';
import { KeyLookUps } from './key-look-ups.js';

const unknownKey = 'This API key is not known or not active.';

export interface Caller {
  readonly key: AuthenticatedKey;
  readonly keyHash: string;
}

/** Authenticates requests (spec 5). A key with a wrong checksum is refused without a look-up. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly lookUps: KeyLookUps,
    private readonly cache: KeyCache,
    private readonly links: AccountLinks,
  ) {}

  /**
   * Throws `unauthorized`, with the same message for an unknown, a deleted and a switched-off key, and another one for a key of an
   * account that is stopped.
   */
  async authenticate(
    authorization: string | undefined,
    address: string,
    context: RequestContext,
  ): Promise<Caller> {
    const token = bearerToken(authorization);
    if (token === undefined) {
      throw this.unauthorized('An API key is required: send Authorization: Bearer <API_KEY>.');
    }
    if (!isWellFormedApiKey(token)) throw this.unauthorized(unknownKey);
    const keyHash = hashApiKey(token);
    const key = await this.cache.get(keyHash, (wasGood) =>
      this.lookUps.find({ keyHash, address, wasGood }, context),
    );
    if (key === null) throw this.unauthorized(unknownKey);
    if (key.is_stopped) throw new ServiceError('unauthorized', this.links.stopped);
    return { key, keyHash };
  }

  private unauthorized(sentence: string): ServiceError {
    return new ServiceError('unauthorized', sentence + this.links.keysHint);
  }
}

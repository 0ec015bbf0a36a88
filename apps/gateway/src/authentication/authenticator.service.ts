import { type AuthenticatedKey, authenticateKey, ServiceError } from '#contracts';
import { ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { AccountLinks } from '../errors/account-links.js';
import { type Call } from '../requests/call.js';
import { KeyCache } from './key-cache.js';

const unknownKey = 'This API key is not known or not active.';

/** Authenticates requests. A key with a wrong checksum is refused without a look-up. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly services: ServiceClient,
    private readonly cache: KeyCache,
    private readonly links: AccountLinks,
  ) {}

  /**
   * Gives the call of a request its key. Throws `unauthorized`, with the same message for an unknown, a deleted and a
   * switched-off key.
   */
  async authenticate({ call }: FastifyRequest): Promise<void> {
    const { token, hash: keyHash } = call.presentedKey;
    if (token === undefined) {
      throw this.unauthorized('An API key is required: send Authorization: Bearer <API_KEY>.');
    }
    if (keyHash === undefined) throw this.unauthorized(unknownKey);
    this.accept(call, await this.cache.get(keyHash, () => this.lookUp(keyHash, call)));
  }

  /** Looks the key of an authenticated call up now, whatever is cached. Throws `unauthorized` as above. */
  async lookUpAgain(call: Call): Promise<AuthenticatedKey> {
    const { hash: keyHash = '' } = call.presentedKey;
    return this.accept(call, await this.cache.refresh(keyHash, () => this.lookUp(keyHash, call)));
  }

  /** `null` for a key that is not known or not active. */
  private async lookUp(keyHash: string, call: Call): Promise<AuthenticatedKey | null> {
    const { key } = await this.services.request(authenticateKey, { key_hash: keyHash }, call);
    return key;
  }

  private accept(call: Call, key: AuthenticatedKey | null): AuthenticatedKey {
    if (key === null) throw this.unauthorized(unknownKey);
    call.authenticatedKey = key;
    call.confirmKey = undefined;
    return key;
  }

  /**
   * Gives a call that is charged its key: one that was good a few minutes ago is not looked up again, because the charge
   * checks it. Nothing is charged with a test key, so it is checked here. What answers without a charge has to call `confirmKey` of the call first, as `refuseCall` does.
   */
  async authenticateForCharge(request: FastifyRequest): Promise<void> {
    const { call } = request;
    const { hash } = call.presentedKey;
    const key = hash === undefined ? undefined : this.cache.recentlyGood(hash);
    if (key === undefined || key.mode === 'test') return this.authenticate(request);
    call.authenticatedKey = key;
    call.confirmKey = () => this.authenticate(request);
  }

  private unauthorized(sentence: string): ServiceError {
    return new ServiceError('unauthorized', sentence + this.links.keysHint);
  }
}

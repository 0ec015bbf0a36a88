import { describeSignIn, type SignInMethods } from '#contracts';
import { ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { CachedAnswer } from './cached-answer.js';

/** How people can sign in, as billing says: pages that offer it must know. Billing is asked twice a minute. */
@Injectable()
export class KnownSignInMethods extends CachedAnswer<SignInMethods> {
  constructor(services: ServiceClient) {
    super(services, describeSignIn, 30_000);
  }
}

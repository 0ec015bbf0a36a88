import { createHmac } from 'node:crypto';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { etagOf } from '../answers/etag.js';
import { sharedKey, type SharedSecrets } from '../config/shared-key.js';

/**
 * The entity tags of profiles. An unchanged profile is free, so clients must not be able to compute the tag of a profile that they have
 * only guessed: tags are keyed, with the same key at all gateways.
 */
@Injectable()
export class ProfileTags {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) config: SharedSecrets) {
    this.key = sharedKey(config, 'tags of profiles');
  }

  tagOf(profile: Buffer): string {
    return etagOf(createHmac('sha256', this.key).update(profile).digest());
  }
}

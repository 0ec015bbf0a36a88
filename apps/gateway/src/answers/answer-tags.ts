import { createHmac } from 'node:crypto';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { sharedKey, type SharedSecrets } from '../config/shared-key.js';
import { weakTag } from './etag.js';

/**
 * The entity tags of paid answers. An unchanged answer is free, so clients must not be able to compute the tag of one that they have
 * only guessed: tags are keyed, with the same key at all gateways.
 */
@Injectable()
export class AnswerTags {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) config: SharedSecrets) {
    this.key = sharedKey(config, 'tags of profiles');
  }

  /** The tag of JSON, which is hashed part after part. */
  tagOf(...json: readonly (Buffer | string)[]): string {
    const hmac = createHmac('sha256', this.key);
    for (const part of json) hmac.update(part);
    return weakTag(hmac.digest('base64url'));
  }
}

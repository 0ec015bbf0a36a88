import { createHmac, scryptSync } from 'node:crypto';
import { CONFIG } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { etagOf, matchesEtag } from '../requests/etag.js';

interface ProfileTagsConfig {
  readonly PROFILE_TAG_SECRET?: string;
  readonly ADMIN_TOKEN: string;
}

const keyBytes = 32;

/**
 * The entity tags of profiles. An unchanged profile is free, so clients must not be able to compute the tag of a profile that they have
 * only guessed: tags are keyed, with the same key at all gateways. The default key comes from the token that all of them have, by a slow
 * function, because a customer who knows a profile and its tag could otherwise try tokens at home.
 */
@Injectable()
export class ProfileTags {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) { PROFILE_TAG_SECRET, ADMIN_TOKEN }: ProfileTagsConfig) {
    this.key = scryptSync(PROFILE_TAG_SECRET ?? ADMIN_TOKEN, 'tags of profiles', keyBytes);
  }

  tagOf(profile: Buffer): string {
    return etagOf(createHmac('sha256', this.key).update(profile).digest());
  }

  /** Whether an `If-None-Match` header names this tag. `*` names nothing: a client that has the profile can name its tag. */
  isNamed(header: string | undefined, tag: string): boolean {
    return header?.trim() !== '*' && matchesEtag(header, tag);
  }
}

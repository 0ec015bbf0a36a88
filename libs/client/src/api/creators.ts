export type PlatformName = 'youtube' | 'instagram' | 'tiktok' | 'facebook' | 'x';

/** A creator's account on one platform. */
export interface PlatformEntry {
  readonly platform: PlatformName;
  /** With a leading `@`. */
  readonly handle: string;
  readonly url: string;
  readonly followers: number;
}

export interface ProfilePlatformEntry extends PlatformEntry {
  /** When `followers` was last counted; ISO 8601, UTC. */
  readonly updated_at: string;
}

/** A creator in a search result. */
export interface Creator {
  /** Names the creator in `creator(slug)`. */
  readonly slug: string;
  readonly name: string;
  /** The creator's page on the service's site. */
  readonly url: string;
  readonly country: string;
  /** The sum of the followers on all platforms. */
  readonly total_reach: number;
  readonly platforms: readonly PlatformEntry[];
}

/** Everything the service shows about one creator. */
export interface CreatorProfile extends Omit<Creator, 'platforms'> {
  /** May be empty. */
  readonly tagline: string;
  readonly languages: readonly string[];
  readonly verified: boolean;
  /** Only when it is known. */
  readonly website?: string;
  /** Slugs, for example `food-drink`. */
  readonly categories: readonly string[];
  readonly platforms: readonly ProfilePlatformEntry[];
}

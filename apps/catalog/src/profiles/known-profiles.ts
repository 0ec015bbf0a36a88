import { type IndexedState } from '#creator-index';

/**
 * Profiles as JSON that were read before, for as long as the catalog is as it was then: the first one asked for after a
 * change empties it. When it is full, those go that were asked for longest ago.
 */
export class KnownProfiles {
  private profiles = new Map<string, string>();
  private characters = 0;
  private state: IndexedState | undefined;

  /** `charactersMax`: of all profiles together; a character takes one byte, or two. */
  constructor(private readonly charactersMax: number) {}

  /** `state`: of the catalog by now. */
  find(slug: string, state: IndexedState): string | undefined {
    this.follow(state);
    const profile = this.profiles.get(slug);
    if (profile === undefined) return undefined;
    this.profiles.delete(slug);
    this.profiles.set(slug, profile);
    return profile;
  }

  /** `state`: of the catalog before the profile was read, so that a change meanwhile is not missed. */
  keep(slug: string, profile: string, state: IndexedState): void {
    if (state !== this.state || this.profiles.has(slug)) return;
    this.profiles.set(slug, profile);
    this.characters += profile.length;
    for (const [oldest, { length }] of this.profiles) {
      if (this.characters <= this.charactersMax) break;
      this.profiles.delete(oldest);
      this.characters -= length;
    }
  }

  private follow(state: IndexedState): void {
    if (state === this.state) return;
    this.state = state;
    this.profiles.clear();
    this.characters = 0;
  }
}

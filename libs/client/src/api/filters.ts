import { type PlatformName } from './creators.js';

/** The answer to `GET /filters`: what searches can ask for, with the number of creators that match; most first. */
export interface FiltersBody {
  readonly countries: readonly { readonly name: string; readonly creators: number }[];
  readonly categories: readonly { readonly slug: string; readonly creators: number }[];
  readonly languages: readonly { readonly name: string; readonly creators: number }[];
  readonly platforms: readonly { readonly platform: PlatformName; readonly creators: number }[];
}

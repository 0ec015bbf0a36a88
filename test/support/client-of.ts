import { CreatorSearch } from '#client';
import { environment } from './environment.js';

/** The client of our consumers with this key. It tries once, so that a failure of the service is not hidden. */
export function clientOf(key: string): CreatorSearch {
  return new CreatorSearch({ apiKey: key, baseUrl: environment.publicUrl, retries: 0 });
}

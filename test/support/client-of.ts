import { CreatorSearch } from '@app/client';
import { environment } from './environment.js';

/** The client of our consumers with this key. It tries once, so that a failure of the service is seen and not mended. */
export function clientOf(key: string): CreatorSearch {
  return new CreatorSearch({ apiKey: key, baseUrl: environment.publicUrl, retries: 0 });
}

import { type NextPage } from '@app/contracts';
import { type SearchPosition } from '@app/creator-index';

/** A position in the order of a search, as sent between services. */
export function toNextPage({ slug, updatedAt }: SearchPosition): NextPage {
  return { slug, updated_at: Number.isFinite(updatedAt) ? new Date(updatedAt).toISOString() : null };
}

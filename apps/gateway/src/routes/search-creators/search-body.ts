import { type SearchSummary, type WithBytes } from '@app/contracts';
import { type Credits } from '../../charging/paid-answer.js';

/** The body of spec 4.1, with the creators' bytes as the catalog sent them. */
export function searchBody({ value, bytes }: WithBytes<SearchSummary>, credits: Credits): Buffer {
  const head = JSON.stringify({ total: value.total, returned: value.returned, ...credits });
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"creators":`), bytes, Buffer.from('}')]);
}

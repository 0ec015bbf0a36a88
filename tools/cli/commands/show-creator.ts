import { type CreatorView } from '#contracts';
import { formatInteger, formatTime } from '../output/format.js';
import { type Column, fields, table } from '../output/table.js';

const platformColumns: Column<CreatorView['platforms'][number]>[] = [
  { title: 'PLATFORM', value: (account) => account.platform },
  { title: 'HANDLE', value: (account) => account.handle },
  { title: 'FOLLOWERS', align: 'right', value: (account) => formatInteger(account.followers) },
  { title: 'UPDATED (UTC)', value: (account) => formatTime(account.updated_at) },
  { title: 'URL', value: (account) => account.url },
];

/** All fields of one creator, and their accounts as a table. */
export function showCreator(creator: CreatorView): string {
  const facts = fields([
    ['slug', creator.slug],
    ['name', creator.name],
    ['url', creator.url],
    ['tagline', creator.tagline || '-'],
    ['country', creator.country],
    ['languages', creator.languages.join(', ') || '-'],
    ['categories', creator.categories.join(', ') || '-'],
    ['verified', creator.verified ? 'yes' : 'no'],
    ['website', creator.website ?? '-'],
    ['published', creator.published ? 'yes' : 'no'],
    ['total reach', formatInteger(creator.total_reach)],
  ]);
  return `${facts}\n\n${table(platformColumns, creator.platforms)}`;
}

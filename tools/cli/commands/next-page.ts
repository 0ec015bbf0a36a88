/** The line under a page that is not the last. */
export function nextPage(cursor: string | null): string {
  return cursor === null ? '' : `\n\nThere is more: --cursor ${cursor}`;
}

import { pagePaths } from '../../paths/page-paths.js';

/** The page that shows a new key once. */
export function newKeyPath(id: string): string {
  return `${pagePaths.keys}/${id}/new`;
}

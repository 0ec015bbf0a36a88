import { pagePaths } from '../../paths/page-paths.js';
import { usePage } from '../../view/page-context.js';
import { Notice } from '../display/notice.js';

/** On every page but the one that it leads to, as long as an invitation waits for an answer. */
export function InvitationNotice({ count }: { readonly count: number }) {
  const { path } = usePage();
  if (count === 0 || path.startsWith(pagePaths.accounts)) return null;
  return (
    <Notice kind="info">
      {count === 1 ? 'You are invited to an account.' : `You are invited to ${count} accounts.`}{' '}
      <a href={pagePaths.accounts}>View</a>
    </Notice>
  );
}

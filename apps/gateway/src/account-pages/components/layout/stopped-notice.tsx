import { pagePaths } from '../../paths/page-paths.js';
import { Notice } from '../display/notice.js';

/** On every page of an account whose API keys are refused because a lost dispute took the payment of used credits back. */
export function StoppedNotice() {
  return (
    <Notice kind="problem">
      Your API keys are refused: credits were used whose payment the bank of the buyer took back.{' '}
      <a href={pagePaths.buy}>Buy credits</a> to use them again, or write to us.
    </Notice>
  );
}

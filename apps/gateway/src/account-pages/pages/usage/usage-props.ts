import { type CallView, type KeyView, type UsageRow } from '@app/contracts';
import { type UsageView } from './usage-view.js';

/** What the page of usage shows. */
export interface UsageProps {
  readonly view: UsageView;
  readonly usage: readonly UsageRow[];
  readonly keys: readonly KeyView[];
  readonly calls: readonly CallView[];
  readonly nextCursor: string | null;
}

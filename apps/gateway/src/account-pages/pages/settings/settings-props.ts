import {
  type AccountDetail,
  type DeliveryView,
  type ListedSession,
  type MemberView,
  type NoticeSettings,
} from '@app/contracts';

/** What the page of settings shows. */
export interface SettingsProps {
  readonly account: AccountDetail;
  readonly members: readonly MemberView[];
  readonly notices: NoticeSettings;
  readonly deliveries: readonly DeliveryView[];
  readonly sessions: readonly ListedSession[];
  /** The person who looks at it. */
  readonly personId: string;
  readonly isOwner: boolean;
  readonly noticeId: string;
  readonly done?: string;
  readonly problem?: string;
  readonly status?: number;
}

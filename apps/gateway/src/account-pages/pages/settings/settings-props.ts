import {
  type AccountDetail,
  type DeliveryView,
  type InvitationView,
  type ListedSession,
  type MemberView,
  type NoticeSettings,
  type SessionMethod,
  type SignInRules,
} from '@app/contracts';

/** What the page of settings shows. */
export interface SettingsProps {
  readonly account: AccountDetail;
  readonly members: readonly MemberView[];
  /** Open ones. */
  readonly invitations: readonly InvitationView[];
  readonly notices: NoticeSettings;
  readonly deliveries: readonly DeliveryView[];
  readonly rules: SignInRules;
  readonly sessions: readonly ListedSession[];
  /** The person who looks at it, and how they have signed in. */
  readonly personId: string;
  readonly isOwner: boolean;
  readonly method: SessionMethod | undefined;
  /** Of the forms to invite and to send a test: the same form sent twice is one invitation or test. */
  readonly invitationId: string;
  readonly noticeId: string;
  readonly done: string | undefined;
}

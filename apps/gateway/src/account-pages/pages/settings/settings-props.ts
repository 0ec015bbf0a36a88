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
  /** Of the form to invite: the same form sent twice is one invitation. */
  readonly invitationId: string;
  readonly notices: NoticeSettings;
  readonly deliveries: readonly DeliveryView[];
  readonly rules: SignInRules;
  /** How the person who looks at it has signed in. */
  readonly method: SessionMethod | undefined;
  readonly sessions: readonly ListedSession[];
  /** The person who looks at it. */
  readonly personId: string;
  readonly isOwner: boolean;
  readonly noticeId: string;
  readonly done?: string;
}

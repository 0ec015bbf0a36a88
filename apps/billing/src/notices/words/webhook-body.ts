import { type NoticeData } from './notice-data.js';

interface Told {
  readonly kind: string;
  readonly accountId: string;
  readonly data: NoticeData;
  readonly createdAt: Date;
}

/** The body of a notice as a webhook gets it, the same bytes at every attempt. */
export function webhookBody({ kind, accountId, data, createdAt }: Told): string {
  return JSON.stringify({
    type: kind,
    timestamp: createdAt.toISOString(),
    data: { account_id: accountId, ...data },
  });
}

import { createHmac } from 'node:crypto';

/** The header `stripe-signature` of a body that is sent at this time, in seconds since the epoch. */
export function signatureOf(body: string, secret: string, at: number): string {
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${signature}`;
}

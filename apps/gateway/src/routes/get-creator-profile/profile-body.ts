import { type Credits } from '../../charging/paid-answer.js';

const closingBrace = 0x7d;

/** The profile of spec 2.2 as the catalog wrote it, with the credits as its last fields. */
export function profileBody(profile: Buffer, credits: Credits): Buffer {
  const end = profile.lastIndexOf(closingBrace);
  return Buffer.concat([profile.subarray(0, end), Buffer.from(`,${JSON.stringify(credits).slice(1)}`)]);
}

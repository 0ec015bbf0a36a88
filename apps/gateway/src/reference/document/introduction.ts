import { unpayableSearchesMax } from '../../creators/unpayable-searches.js';
import { callsMax, windowSeconds } from '../../rate-limit/rate-limiter.js';

/** The first section of the reference page, Markdown: what holds for every call. */
export const introduction = `Search verified creators on YouTube, Instagram, TikTok, Facebook and X, and read what is known about one of them.

Calls are paid with prepaid credits. **A call that fails costs nothing**, and every paid answer says what it cost (\`credits_used\`) and what is left (\`credits_remaining\`).

## Authentication

Send your API key with every call: \`Authorization: Bearer csk_...\`. It belongs on your server, never in a web page or an app; there are no CORS headers.

## What a call costs

| Call | Credits |
| --- | --- |
| A search that matches at least one creator | 1, and 1 more for each filter used |
| A search that matches no creator | 0 |
| A profile | 1 |
| A profile that you have already (\`If-None-Match\`) | 0 |
| A call repeated within 15 minutes with the same \`Idempotency-Key\` | 0 |
| Filters, look-ups, balance, usage and calls | 0 |
| Every error, and a call whose answer you don't take | 0 |

While the balance of an account is lower than what a search costs if creators match, ${unpayableSearchesMax.calls} such searches an hour are run; further ones are a 402, whether creators match or not.

Credits live for 30 days, and the oldest are spent first. At 5 credits or fewer, answers carry \`warning\` and the header \`x-credits-warning\`.

## Errors

The body is \`{"error": "..."}\`: a sentence that says what is wrong and how to fix it. A 400 adds \`details\`, a 402 \`credits_needed\` and \`credits_remaining\`. Clients whose \`Accept\` names \`application/problem+json\` get problem details (RFC 9457) with the same additions. A method that is not listed here is a 405, \`HEAD\` too; an unknown path is a 404; a URL of more than 8,192 characters is a 414; a request line with headers of more than 16 KiB is a 431.

After a 429 or a 503, wait for the seconds of \`retry-after\` and try again.

## Rate limits

${callsMax} searches in any ${windowSeconds} seconds for each key, as many look-ups, and as many of the other free calls together; profiles that are paid for are not limited. \`ratelimit\` says how many are left.

Searches and profiles that cost nothing (no match, unchanged, repeated): 600 in any 60 seconds for each account.

When ${callsMax} paid calls of a key were hung up within ${windowSeconds} seconds, before their answers had arrived, its searches and profiles get a 429 until there are fewer.

## Finding a call again

Every answer has an \`x-request-id\`. Send one of your own (letters, digits and \`.\`, \`_\`, \`:\`, \`-\`, up to 128 characters) to find the call in your own logs and in ours. \`GET /calls/{request_id}\` shows what it cost, and why.
`;

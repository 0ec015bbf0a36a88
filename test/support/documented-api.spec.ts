import { readFileSync } from 'node:fs';
import { type OpenAPIObject } from 'openapi3-ts/oas31';
import { DocumentedApi } from './documented-api.js';
import { type Reply } from './http.js';
import { paths } from './public-api.js';

const documented = new DocumentedApi(JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIObject);

const balance = {
  credits_remaining: 3,
  lots: [
    {
      pack: 'trial',
      credits: 50,
      remaining: 3,
      purchased_at: '2026-01-05T09:30:00.000Z',
      expires_at: '2026-02-04T09:30:00.000Z',
    },
  ],
};
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'order-1',
  ratelimit: '"account";r=59;t=60',
  'ratelimit-policy': '"account";q=60;w=60',
};

interface Changes {
  readonly status?: number;
  readonly headers?: object;
  readonly body?: unknown;
}

/** A correct answer to `GET /balance` with some changes. */
function answer({ status = 200, headers: changed = {}, body = balance }: Changes = {}): Reply<unknown> {
  return { status, headers: { ...headers, ...changed }, text: JSON.stringify(body), body };
}

describe('an answer compared with the document', () => {
  it('has no problems when it is correct', () => {
    expect(documented.problemsOf('GET', `${paths.balance}?`, answer())).toEqual([]);
  });

  it.each<[string, Changes, RegExp]>([
    ['a status that is not documented', { status: 418 }, /status 418 is not documented/],
    ['a header that is not documented', { headers: { 'x-new': '1' } }, /x-new is not documented/],
    ['a member that is not documented', { body: { ...balance, next: null } }, /must NOT have additional/],
    ['a value of another type', { body: { ...balance, credits_remaining: '3' } }, /must be integer/],
    ['an error without its details', { status: 400, body: { error: 'No.' } }, /'details'/],
  ])('is reported for %s', (_what, changes, problem) => {
    expect(documented.problemsOf('GET', paths.balance, answer(changes)).join()).toMatch(problem);
  });
});

import { wantsProblemDetails } from './error-body.js';

it.each<[string | undefined, boolean]>([
  [undefined, false],
  ['*/*', false],
  ['application/*', false],
  ['application/json', false],
  ['application/problem+json', true],
  ['Application/Problem+JSON', true],
  ['application/json, application/problem+json', true],
  ['application/problem+json;q=0.1, */*', true],
  ['application/problem+json;q=0, application/json', false],
  ['text/application/problem+json', false],
])('Accept %j asks for problem details: %j', (accept, wants) => {
  expect(wantsProblemDetails(accept)).toBe(wants);
});

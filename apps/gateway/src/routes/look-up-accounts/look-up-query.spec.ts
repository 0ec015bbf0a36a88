import { ServiceError } from '@app/contracts';
import { readLookUpQuery } from './look-up-query.js';

function problemsOf(query: string): Record<string, string[]> {
  try {
    readLookUpQuery(`/api/public/v1/lookup${query}`);
    return {};
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return error.details ?? {};
    throw error;
  }
}

it('takes a link, or a platform and a handle', () => {
  expect(readLookUpQuery('/lookup?url=https%3A%2F%2Fx.com%2Fmira%3Fs%3D20')).toEqual({
    url: 'https://x.com/mira?s=20',
  });
  expect(readLookUpQuery('/lookup?url=x.com/@mira')).toEqual({ url: 'x.com/@mira' });
  expect(readLookUpQuery('/lookup?handle=%40mira&platform=youtube')).toEqual({
    platform: 'youtube',
    handle: '@mira',
  });
});

it.each([
  ['', ['url']],
  ['?url=', ['url']],
  ['?url=%ff', ['url']],
  ['?url=a&url=a', ['url']],
  ['?platform=x', ['handle']],
  ['?handle=mira', ['platform']],
  ['?url=x.com/mira&handle=mira', ['handle', 'url']],
  ['?url=x.com/mira&platform=x&handle=mira', ['handle', 'platform', 'url']],
  ['?link=x.com/mira', ['link']],
])('names what is wrong in %j', (query, names) => {
  const problems = problemsOf(query);
  expect(Object.keys(problems).sort()).toEqual(names);
  for (const sentences of Object.values(problems)) expect(sentences.join()).toMatch(/^\S+ \S+ \S+/);
});

it('says that a link whose own parameters are taken for ours has to be encoded', () => {
  const problems = problemsOf('?url=https://www.instagram.com/mira/?igshid=abc&utm_source=qr');
  expect(Object.keys(problems).sort()).toEqual(['url', 'utm_source']);
  expect(problems.url?.[0]).toContain('percent-encoded');
});

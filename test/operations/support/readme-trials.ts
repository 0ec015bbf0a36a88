import { type SearchBody } from '@app/client';
import { type BlockTrial } from './page-trials.js';

/** What the README promises about the calls in its part for consumers. */
export const readmeTrials: readonly BlockTrial[] = [
  {
    language: 'sh',
    words: 'Idempotency-Key',
    shows: 'an answer although the first one was lost, paid once',
    credits: 2,
    conditions: { lossOf: (request) => (request === 0 ? 'unseen' : null) },
    check: ({ file }) => {
      const found = JSON.parse(file('found.json')) as SearchBody;
      expect(found.credits_used).toBe(0);
      expect(found.creators.map(({ slug }) => slug)).toContain('mira-solenne');
    },
  },
  {
    language: 'sh',
    words: 'If-None-Match',
    shows: 'a profile, and that it is unchanged, for nothing',
    credits: 1,
    check: ({ output, file }) => {
      expect(JSON.parse(file('mira.json'))).toMatchObject({ name: 'Mira Solenne', credits_used: 1 });
      expect(output).toContain('HTTP/1.1 304 Not Modified');
      expect(output).toMatch(/^x-credits-used: 0\r?$/m);
      expect(output).not.toContain('Mira Solenne');
    },
  },
  {
    language: 'ts',
    words: 'client.search',
    shows: 'nothing; it is the beginning of a program',
    credits: 3,
    check: ({ output }) => expect(output).toBe(''),
  },
];

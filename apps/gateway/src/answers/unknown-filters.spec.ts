import { answerHeaders } from '#contracts';
import { unknownFiltersHeader } from './next-page-links.js';

it.each([
  [{}, 'country, language'],
  [{ country: 'United Kingdom' }, 'country;closest="United Kingdom", language'],
  [{ country: 'a"b\\c', language: 'x, y' }, 'country;closest="a\\"b\\\\c", language;closest="x, y"'],
  [{ country: 'Türkiye "100%"' }, 'country;closest=%"T%c3%bcrkiye%20%22100%25%22", language'],
  [{ language: '日本語' }, 'country, language;closest=%"%e6%97%a5%e6%9c%ac%e8%aa%9e"'],
  [{ language: 'a\r\nb: c' }, 'country, language;closest=%"a%0d%0ab%3a%20c"'],
])('unknown filters with %j are %s', (closest, header) => {
  expect(unknownFiltersHeader(['country', 'language'], closest)).toBe(header);
  expect(header).toMatch(new RegExp(answerHeaders['x-filters-unknown'].schema.pattern));
});

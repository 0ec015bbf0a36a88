import { type Page } from '#contracts';
import { csvLine, csvPages } from './csv.js';

describe('CSV', () => {
  it('has a line for each list of values, with nothing for null', () => {
    expect(csvLine(['7', -2, null, 'a b'])).toBe('7,-2,,a b\r\n');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\r\nb', '"a\r\nb"'],
    ['=1+1', "'=1+1"],
    ['@sum', "'@sum"],
    ['\u202e=1+1', "'=1+1"],
  ])('makes %j harmless for spreadsheets', (value, field) => {
    expect(csvLine(['a', value, null])).toBe(`a,${field},\r\n`);
  });

  it('of a list is read page after page', async () => {
    const page = (item: string, next_cursor: string | null): Page<string> => ({ items: [item], next_cursor });
    const pages: Record<string, Page<string>> = { a: page('2', 'b'), b: page('1', null) };
    const read = (cursor = ''): Promise<Page<string>> => Promise.resolve(pages[cursor] ?? page('3', 'a'));
    const lines: string[] = [];
    for await (const text of await csvPages(['id', 'text'], (id) => ({ id, text: 'x' }), read)) {
      lines.push(text);
    }
    expect(lines.join('')).toBe('\ufeffid,text\r\n3,x\r\n2,x\r\n1,x\r\n');
  });
});

import { workbook } from './workbook.fixture.js';
import { xlsxRows } from './xlsx.js';

it('the rows of a workbook have their numbers, days and whole numbers; more than 15 digits are shown as rounded', async () => {
  async function* file(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(
      workbook([
        ['name', 'handle', 'updated_at'],
        ['Ada &amp; Bob', 1_200_000, { day: 46_053 }],
        [],
        ['Cyd', 100_012_345_678_901, { day: 46_053.5 }],
        ['Dan', 1.00012345678901e17, ''],
      ]),
    );
  }
  const rows: unknown[] = [];
  for await (const { line, cells } of xlsxRows(file())) rows.push([line, ...cells]);
  expect(rows).toEqual([
    [1, 'name', 'handle', 'updated_at'],
    [2, 'Ada & Bob', '1200000', '2026-01-31'],
    [4, 'Cyd', '100012345678901', '2026-01-31T12:00:00.000Z'],
    [5, 'Dan', '1.00012345678901e+17', ''],
  ]);
});

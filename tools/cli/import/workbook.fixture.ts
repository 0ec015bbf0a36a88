import { strToU8, zipSync } from 'fflate';

/** Numbers are cells as a spreadsheet stores them, days have the format of a date. */
export type SheetCell = string | number | { readonly day: number };

const namespace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** An Excel workbook with one sheet. */
export function workbook(rows: readonly (readonly SheetCell[])[]): Buffer {
  const sheet = rows.map((cells, index) => {
    const written = cells.map((cell, column) =>
      cellXml(cell, `${String.fromCharCode(65 + column)}${index + 1}`),
    );
    return `<row r="${index + 1}">${written.join('')}</row>`;
  });
  const relations = ['worksheet', 'styles'].map(
    (type, index) => `<Relationship Id="r${index}" Type="${office}/${type}" Target="${type}.xml"/>`,
  );
  const files = {
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    'xl/workbook.xml': `<workbook ${namespace} xmlns:r="${office}"><sheets><sheet name="List" sheetId="1" r:id="r0"/></sheets></workbook>`,
    'xl/worksheet.xml': `<worksheet ${namespace}><sheetData>${sheet.join('')}</sheetData></worksheet>`,
    'xl/styles.xml': `<styleSheet ${namespace}><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0"/></cellXfs></styleSheet>`,
  };
  const zipped = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(zipped)));
}

function cellXml(cell: SheetCell, place: string): string {
  if (typeof cell === 'string') return `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  return typeof cell === 'number'
    ? `<c r="${place}"><v>${cell}</v></c>`
    : `<c r="${place}" s="1"><v>${cell.day}</v></c>`;
}

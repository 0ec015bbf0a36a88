import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { type Page } from 'playwright-core';
import { widths } from './visitor.js';

const looks = [
  { look: 'desktop', width: widths.desktop, height: 800, colorScheme: 'light' },
  { look: 'desktop-dark', width: widths.desktop, height: 800, colorScheme: 'dark' },
  { look: 'phone', width: widths.phone, height: 844, colorScheme: 'light' },
] as const;

/** Saves pictures of the page that is open into the folder that PICTURES names; without one, does nothing. */
export async function savePictures(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  for (const { look, width, height, colorScheme } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const png = await page.screenshot({ animations: 'disabled' });
    writeFileSync(join(folder, `${name}-${look}.png`), smaller(png));
  }
}

const signatureLength = 8;

/** The same PNG, compressed as well as it can be: browsers compress quickly instead. */
function smaller(png: Buffer): Buffer {
  const kept: Buffer[] = [png.subarray(0, signatureLength)];
  const pixels: Buffer[] = [];
  for (let at = signatureLength; at < png.length;) {
    const end = at + 12 + png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') pixels.push(png.subarray(at + 8, end - 4));
    else if (type === 'IEND') kept.push(chunk('IDAT', repacked(pixels)), png.subarray(at, end));
    else kept.push(png.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

function repacked(pixels: readonly Buffer[]): Buffer {
  return deflateSync(inflateSync(Buffer.concat(pixels)), { level: 9, memLevel: 9 });
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

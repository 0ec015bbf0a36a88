import * as zlib from 'node:zlib';

/** Node's constant for zstd's compression level. */
const levelParameter = 100;

type Compress = (bytes: Buffer, options: { params: Record<number, number> }) => Buffer;

function isFunction(value: unknown): value is Compress {
  return typeof value === 'function';
}

/** Compresses with zstd where Node supports it, which is from 22.15 on; else `undefined`. */
export const zstdCompress: ((bytes: Buffer, level: number) => Buffer) | undefined = (() => {
  const compress: unknown = Reflect.get(zlib, 'zstdCompressSync');
  if (!isFunction(compress)) return undefined;
  return (bytes: Buffer, level: number) => compress(bytes, { params: { [levelParameter]: level } });
})();

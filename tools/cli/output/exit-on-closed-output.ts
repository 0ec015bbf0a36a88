/** Exits silently when the reader of the output has gone: `| head` stops reading early, which is not a failure. */
export function exitOnClosedOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

/** Ends the process without a word when nobody reads its output any more: `| head` ends the reading early, which is no failure. */
export function endQuietlyWithoutReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

/** The reason why a process can't start, in a complete sentence: it is printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

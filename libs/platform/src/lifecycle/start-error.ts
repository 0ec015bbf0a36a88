/** Why a process can't start, in a sentence that says everything: it is printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

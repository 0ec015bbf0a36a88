/** A number with the words that fit it, as in `1 credit` and `2 credits`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

const lengthMax = 80;

/** A name that customers have chosen, for a mail of ours: short, and nothing in it becomes a link. */
export function withoutLinks(name: string): string {
  const characters = [...name.replace(/:\/\/|www\./giu, ' ')];
  return characters.length > lengthMax
    ? `${characters.slice(0, lengthMax - 1).join('')}…`
    : characters.join('');
}

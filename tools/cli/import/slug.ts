import { foldText, slugLengthMax } from '#contracts';

/** The slug of a name: the same for the same name, and empty for one without a Latin letter or a digit. */
export function slugOf(name: string): string {
  const words = foldText(name)
    .replaceAll("'", '')
    .match(/[a-z0-9]+/g);
  return (words ?? []).join('-').slice(0, slugLengthMax).replace(/-$/, '');
}

import { type Culture } from './cultures.js';
import { type Random } from './random.js';

/** A fictional person: the display name, and the a-z words that slugs, handles and domains are built from. */
export interface CreatorName {
  readonly display: string;
  readonly given: string;
  readonly surname: string;
}

const channelWords = 'Studio,Daily,Kitchen,TV,Garage,Club,Diaries,Lab,World,On Air'.split(',');
const emoji = '✨ 🎮 🌸 🔥 🍜 🎧 ⚽ 🌍 🐝 👩🏽‍🍳'.split(' ');

/** A name in the way of the culture; now and then styled as people do: capitals, emoji, a channel. */
export function makeName(random: Random, culture: Culture): CreatorName {
  const { surnameFirst, separator } = culture;
  const given = random.pick(culture.given);
  const [start, end] = [random.pick(culture.surnameStarts), random.pick(culture.surnameEnds)];
  const surname = { written: start.written + end.written, latin: start.latin + end.latin };
  const parts = [given.written, surname.written];
  const written = (surnameFirst ? parts.reverse() : parts).join(separator);
  const styles = [
    () => written,
    () => `${given.written} ${random.pick(channelWords)}`,
    () => `${written} ${random.pick(emoji)}`,
    () => written.toUpperCase(),
    () => `${written} ${capital(given.latin)}`,
  ];
  const display = styles[random.weighted([82, 6, 5, 4, 3])]?.() ?? written;
  return { display, given: given.latin, surname: surname.latin };
}

function capital(latin: string): string {
  return latin.charAt(0).toUpperCase() + latin.slice(1);
}

import { type Culture, cultures } from './cultures.js';

/** Countries of creators: their frequency, languages and names. */
export interface Country {
  readonly name: string;
  readonly weight: number;
  /** The first one is by far the most frequent. */
  readonly languages: readonly string[];
  readonly cultures: readonly Culture[];
}

function country(name: string, weight: number, languages: string, ...cultures: Culture[]): Country {
  return { name, weight, languages: languages.split(', '), cultures };
}

const c = cultures;

export const countries: readonly Country[] = [
  country('United States', 180, 'English, Spanish', c.english, c.english, c.spanish),
  country('India', 130, 'Hindi, English, Tamil, Telugu', c.hindi),
  country('Brazil', 90, 'Portuguese', c.spanish),
  country('Mexico', 50, 'Spanish', c.spanish),
  country('United Kingdom', 45, 'English, Welsh', c.english),
  country('Japan', 40, 'Japanese', c.japanese),
  country('South Korea', 38, 'Korean, English', c.hangul),
  country('Russia', 34, 'Russian', c.russian),
  country('France', 32, 'French', c.french),
  country('Germany', 32, 'German, English', c.german, c.german, c.turkish),
  country('Turkey', 30, 'Turkish', c.turkish),
  country('Spain', 28, 'Spanish, Catalan, Basque', c.spanish),
  country('Philippines', 26, 'Filipino, English', c.spanish),
  country('Egypt', 24, 'Arabic', c.arabic),
  country('Nigeria', 24, 'English, Yoruba, Igbo, Hausa', c.english),
  country('Canada', 20, 'English, French', c.english, c.french),
  country('Italy', 20, 'Italian', c.spanish),
  country('Taiwan', 18, 'Chinese', c.han),
  country('Saudi Arabia', 16, 'Arabic, English', c.arabic),
  country('Ukraine', 15, 'Ukrainian, Russian', c.russian),
  country('Morocco', 10, 'Arabic, French, Berber', c.arabic, c.french),
  country('South Africa', 10, 'English, Zulu, Afrikaans', c.english),
  country("Côte d'Ivoire", 6, 'French', c.french),
];

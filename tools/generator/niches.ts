/** A niche: its slug, its frequency among creators, and their taglines. */
export interface Niche {
  readonly slug: string;
  readonly weight: number;
  readonly activities: readonly string[];
}

function niche(slug: string, weight: number, ...activities: string[]): Niche {
  return { slug, weight, activities };
}

export const niches: readonly Niche[] = [
  niche('music', 90, 'Covers and late-night sessions', 'Original songs from a small room'),
  niche('gaming', 85, 'Speedruns and co-op evenings', 'Reviews of games nobody else plays'),
  niche('beauty', 80, 'Everyday make-up that lasts', 'Skincare without the myths'),
  niche('lifestyle', 80, 'Slow mornings and tidy shelves', 'A year of small changes'),
  niche('fitness', 70, 'Strength training at home', 'Running plans for beginners'),
  niche('food-drink', 65, 'Family recipes in five steps', 'Street food, one stall at a time'),
  niche('fashion', 60, 'Thrift finds and tailoring', 'Outfits for any weather'),
  niche('humor', 60, 'Sketches about office life', 'Impressions of household appliances'),
  niche('travel', 50, 'Night trains and border towns', 'Travel on a small budget'),
  niche('education', 45, 'Maths explained with paper', 'History in ten minutes'),
  niche('science-technology', 40, 'Gadgets taken apart', 'Space news in plain words'),
  niche('finance', 35, 'Saving, simply explained', 'Budget spreadsheets that work'),
  niche('art-design', 35, 'Watercolours and timelapses', 'Lettering for everyone'),
  niche('sports', 30, 'Football drills', 'Match analysis with chalk'),
  niche('animals-pets', 25, 'Two rescue dogs and a parrot', 'Bees on a balcony'),
  niche('books', 20, 'A novel a week', 'Poems read aloud'),
  niche('health', 20, 'Sleep and stress, by a nurse', 'Stretching at the desk'),
];

import { type DataSource } from 'typeorm';
import { type Sample } from './queries.js';

/** Creators drawn by a hash of their slug: the same ones in every run on the same catalog. */
export async function drawSamples(dataSource: DataSource, seed: number): Promise<Sample[]> {
  const rows = await dataSource.query<
    { country: string; category: string; language: string; word: string; reach: string }[]
  >(
    `SELECT country, coalesce(categories[1], 'music') AS category, languages[1] AS language,
       split_part(split_part(search_text, E'\\n', 1), ' ', 1) AS word, total_reach AS reach
     FROM creators WHERE published ORDER BY md5(slug || $1) LIMIT 200`,
    [String(seed)],
  );
  return rows.map((row) => ({ ...row, reach: Number(row.reach) }));
}

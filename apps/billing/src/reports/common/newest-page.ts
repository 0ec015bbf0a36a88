import { isId, type Page, type PageRequest } from '#contracts';
import { type SelectQueryBuilder } from 'typeorm';
import { decodeCursor, isTime, pageOf } from './cursor.js';

/**
 * A page of what the query selects, newest first: by this time, and of the same instant by id. Throws `invalid_request` for a cursor of
 * another list.
 */
export async function newestPage<
  Time extends string,
  Row extends { readonly id: string } & Record<Time, Date>,
>(query: SelectQueryBuilder<Row>, time: Time, { limit, cursor }: PageRequest): Promise<Page<Row>> {
  const [at, id] = [`${query.alias}.${time}`, `${query.alias}.id`];
  query
    .orderBy(at, 'DESC')
    .addOrderBy(id, 'DESC')
    .limit(limit + 1);
  if (cursor !== undefined) {
    const [lastAt, lastId] = decodeCursor(cursor, [isTime, isId]);
    query.andWhere(`(${at}, ${id}) < (:lastAt, :lastId)`, { lastAt, lastId });
  }
  return pageOf(await query.getMany(), limit, (row) => [row[time].toISOString(), row.id]);
}

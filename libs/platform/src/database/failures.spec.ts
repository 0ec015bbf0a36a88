import { ServiceError } from '#contracts';
import { QueryFailedError } from 'typeorm';
import { databaseCode, isWorthRepeating, mapDatabaseError, writeProblem } from './failures.js';

function failure(code: string): Error {
  return Object.assign(new Error('secret detail of the server'), { code });
}

describe('a failure of the database', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    '08006',
    '57P01',
    '57P03',
    '53300',
    '55P03',
    '57014',
    '40P01',
    '25P03',
  ])('%s is unavailable, wrapped by the ORM or not, with its reason only in the cause', (code) => {
    for (const error of [failure(code), new QueryFailedError('SELECT 1', [], failure(code))]) {
      const mapped = mapDatabaseError(error);
      expect(mapped).toMatchObject({ code: 'unavailable', cause: error });
      expect((mapped as ServiceError).message).not.toContain('secret');
    }
  });

  it('without a code is unavailable when the driver lost its connection', () => {
    for (const message of ['Connection terminated unexpectedly', 'timeout exceeded when trying to connect']) {
      expect(mapDatabaseError(new Error(message))).toMatchObject({ code: 'unavailable' });
    }
  });

  it('of several addresses is recognised', () => {
    expect(databaseCode(new AggregateError([failure('ECONNREFUSED'), failure('ECONNREFUSED')]))).toBe(
      'ECONNREFUSED',
    );
  });

  it('has words for operators when the database takes no writes', () => {
    const problems = ['53100', '25006', '40P01'].map((code) => writeProblem(failure(code)));
    expect(problems).toEqual(['disk full', 'read-only', null]);
  });

  it('that is our own mistake is passed on unchanged', () => {
    for (const error of [
      failure('23514'),
      failure('42601'),
      new Error('x'),
      new ServiceError('conflict', 'x'),
    ]) {
      expect(mapDatabaseError(error)).toBe(error);
    }
  });

  it('can be retried when the same transaction may succeed at once', () => {
    expect(
      ['40P01', '40001', '23505', '57P01', 'ECONNRESET'].every((code) => isWorthRepeating(failure(code))),
    ).toBe(true);
    expect(
      ['55P03', '57014', '53300', 'ECONNREFUSED', '23514'].some((code) => isWorthRepeating(failure(code))),
    ).toBe(false);
  });
});

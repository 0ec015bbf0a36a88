import { ServiceError } from '#contracts';
import { QueryFailedError } from 'typeorm';
import { databaseCode, isWorthRepeating, mapDatabaseError, writeProblem } from './failures.js';

function failure(code: string): Error {
  return Object.assign(new Error('secret detail of the server'), { code });
}

describe('a failure of the database', () => {
  it.each(['ECONNREFUSED', '08006', '57P01', '57014', '40P01'])(
    '%s is unavailable, wrapped by the ORM or not, with its reason only in the cause',
    (code) => {
      for (const error of [failure(code), new QueryFailedError('SELECT 1', [], failure(code))]) {
        const mapped = mapDatabaseError(error);
        expect(mapped).toMatchObject({ code: 'unavailable', cause: error });
        expect((mapped as ServiceError).message).not.toContain('secret');
      }
    },
  );

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
    for (const error of [failure('23514'), new Error('x'), new ServiceError('conflict', 'x')]) {
      expect(mapDatabaseError(error)).toBe(error);
    }
  });

  it('can be retried when the same transaction may succeed at once', () => {
    const codes = ['40P01', '23505', 'ECONNRESET', '55P03', 'ECONNREFUSED', '23514'];
    const repeated = codes.filter((code) => isWorthRepeating(failure(code)));
    expect(repeated).toEqual(['40P01', '23505', 'ECONNRESET']);
  });
});

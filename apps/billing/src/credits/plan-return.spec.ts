import { planReturn } from './plan-return.js';

it.each([
  // What is missing is taken, as far as it is there.
  [{ owed: 250, creditsTakenBack: 0 }, { remaining: 500, isExpired: false }, [-250, 250, 0]],
  [{ owed: 250, creditsTakenBack: 0 }, { remaining: 100, isExpired: false }, [-100, 100, 150]],
  [{ owed: 250, creditsTakenBack: 100 }, { remaining: 0, isExpired: false }, [0, 100, 150]],
  [{ owed: 250, creditsTakenBack: 100 }, { remaining: 500, isExpired: false }, [-150, 250, 0]],
  // What was taken is given back when the money came back.
  [{ owed: 0, creditsTakenBack: 250 }, { remaining: 10, isExpired: false }, [250, 0, 0]],
  [{ owed: 100, creditsTakenBack: 250 }, { remaining: 0, isExpired: false }, [150, 100, 0]],
  // Nothing changes in an expired lot.
  [{ owed: 500, creditsTakenBack: 0 }, { remaining: 500, isExpired: true }, [0, 0, 500]],
  [{ owed: 0, creditsTakenBack: 250 }, { remaining: 0, isExpired: true }, [0, 250, 0]],
])('of credits %j, a lot with %j changes by, has returned and lacks %j', (credits, lot, expected) => {
  const { change, creditsTakenBack, creditsNotRecovered } = planReturn(credits, lot);
  expect([change, creditsTakenBack, creditsNotRecovered]).toEqual(expected);
});

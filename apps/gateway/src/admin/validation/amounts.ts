/** Most credits in one purchase, agreement or adjustment. */
export const creditsMax = 1_000_000_000;

/** Most US cents in one purchase: a billion dollars. */
export const priceCentsMax = 100_000_000_000;

export const referenceLengthMax = 200;

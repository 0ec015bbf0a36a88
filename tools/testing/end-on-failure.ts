import fc from 'fast-check';

/** Whether a mutant is noticed is all that counts: the smallest example of it is not looked for. */
fc.configureGlobal({ endOnFailure: true });

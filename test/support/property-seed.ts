/**
 * Properties are tried on the same cases in every run, so that a red test speaks of the change and not of the day.
 * FORERUN_PROPERTY_SEED=any draws new cases; a number repeats those of an earlier run.
 */
import fc from 'fast-check';

const wanted = process.env.FORERUN_PROPERTY_SEED ?? '1';

if (wanted !== 'any') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });

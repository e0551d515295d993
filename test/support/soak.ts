/**
 * How often a random test does its work: a little in `npm test`, as often as its promise says under `npm run test:soak`.
 * Both runs make the same assertions.
 */
export interface Rounds {
  readonly everyRun: number;
  readonly soak: number;
}

/** Set by `npm run test:soak`. */
export const soakVariable = 'FORERUN_TEST_SOAK';

export function isSoak(): boolean {
  return process.env[soakVariable] === 'on';
}

export function rounds({ everyRun, soak }: Rounds): number {
  return isSoak() ? soak : everyRun;
}

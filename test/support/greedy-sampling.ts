import type { Sampling } from '../../src/model/model-request.ts';

/** The same call on every run. */
export const greedySampling: Sampling = { temperature: 0, thinking: 'off' };

/**
 * What every Node process of a run is started with. A test that gives a process an environment of its own hands it on, so
 * that the servers below it start as fast as those of other tests.
 */
export const nodeOptions: Readonly<Record<string, string>> =
  process.env.NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS: process.env.NODE_OPTIONS };

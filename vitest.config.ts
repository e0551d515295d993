import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** Unit tests come first; whatever starts processes runs after them, all in one group, so that no core waits for another. */
const processes = {
  setupFiles: ['test/support/processor-time.ts', 'test/support/property-seed.ts'],
  globalSetup: ['test/support/global-setup.ts'],
  // Workers read the code once for all their files.
  isolate: false,
  // Limits end a test that waits for what never comes; a loaded machine is no failure of the code.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
  // Two for each core: a file computes for two fifths of its time, and with more of them a process may wait for its turn
  // longer than a library allows. Servers need memory, so there is a bound.
  maxWorkers: Math.min(availableParallelism() * 2, 6),
  sequence: { groupOrder: 1 },
};

/** Where tests show the page of the editor. */
const withPage = [...processes.globalSetup, 'test/support/page-build.ts'];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // What was compiled for one run is there for the next.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/support/property-seed.ts'],
          // They start no process and keep nothing in modules: a worker reads the code once, in a quarter of the time.
          isolate: false,
          maxWorkers: Math.min(availableParallelism(), 4),
          // Generous: a loaded machine is no failure of the code.
          testTimeout: 30_000,
          include: ['{src,web,test/tidy,test/support,test/truth-repositories}/**/*.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      /** Random tests, short in every run; `npm run test:soak` runs them at full length. */
      {
        test: { ...processes, name: 'soak', include: ['test/soak/**/*.test.ts'], globalSetup: withPage },
      },
      /** Real language servers. */
      { test: { ...processes, name: 'servers', include: ['test/servers/**/*.test.ts'] } },
      /** Real processes. */
      { test: { ...processes, name: 'process', include: ['test/process/**/*.test.ts'] } },
      /** The page of the editor in a real browser. */
      {
        test: {
          ...processes,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: withPage,
          // A browser for each worker. Its tests compute more than they wait, so one more than there are cores.
          maxWorkers: Math.min(availableParallelism() + 1, 3),
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { scratchVariable } from './test/support/scratch-directory.ts';

const scratch = process.env[scratchVariable];

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
      /**
       * Whatever starts processes. One project for all of it: workers of one project are not those of another, so each
       * further one reads the code anew in every worker, and leaves cores without work at its end.
       */
      {
        test: {
          name: 'processes',
          setupFiles: ['test/support/processor-time.ts', 'test/support/property-seed.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          ...(scratch !== undefined && { env: { TMPDIR: scratch } }),
          isolate: false,
          // Limits end a test that waits for what never comes; a loaded machine is no failure of the code.
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 60_000 } },
          // Two for each core: a file computes for two fifths of its time, and with more of them a process may wait for its
          // turn longer than a library allows. Servers need memory, so there is a bound.
          maxWorkers: Math.min(availableParallelism() * 2, 6),
          include: ['test/{soak,servers,process,browser}/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

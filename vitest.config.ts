import { defineConfig } from 'vitest/config';

/** Fast tests first; what starts servers and processes comes after them. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/support/property-seed.ts'],
          // They start no process and keep nothing in modules: one worker reads the code once, in a quarter of the time.
          isolate: false,
          // Generous: a loaded machine is no failure of the code.
          testTimeout: 30_000,
          include: ['{src,test/tidy,test/support,test/truth-repositories}/**/*.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'servers',
          setupFiles: ['test/support/property-seed.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          include: ['test/{servers,e2e,soak}/**/*.test.ts'],
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

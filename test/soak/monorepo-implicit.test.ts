/** Verdicts against the compiler in monorepos whose files affect each other without naming each other. */
import { ambient, javascript, jsxRuntime } from '../support/monorepo/implicit-shapes.ts';
import { tryMonorepo } from '../support/monorepo/monorepo-trial.ts';

for (const monorepo of [ambient, javascript, jsxRuntime]) tryMonorepo(monorepo);

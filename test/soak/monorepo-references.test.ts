/** Verdicts against the compiler in monorepos whose packages name each other or read each other's outputs. */

import { tryMonorepo } from '../support/monorepo/monorepo-trial.ts';
import { built, exported, referencedAndBuilt, references } from '../support/monorepo/referenced-shapes.ts';

for (const monorepo of [built, exported, referencedAndBuilt, references]) tryMonorepo(monorepo);

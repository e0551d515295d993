/** Verdicts against the compiler in monorepos whose files belong to several projects, to one of an unusual include, or to none. */

import { tryMonorepo } from '../support/monorepo/monorepo-trial.ts';
import { outputNamed, overlapping, plain, uncovered } from '../support/monorepo/overlapping-shapes.ts';

for (const monorepo of [outputNamed, overlapping, plain, uncovered]) tryMonorepo(monorepo);

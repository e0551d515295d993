/** Where `scripts/provision` puts what it installs. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Programs, by the names they are run with. */
export const provisionedPrograms: string =
  process.env.FORERUN_TEST_BIN ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'forerun-test', 'bin');

/** The language model and its engine. */
export const provisionedModel: string = join(provisionedPrograms.replace(/\/bin$/, ''), 'model');

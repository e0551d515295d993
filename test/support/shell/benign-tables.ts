/**
 * All tables of everyday commands, by what they hold.
 *
 * Invariant: every row only reads, on any machine.
 */
import { benignCommands } from './benign-commands.ts';
import { benignFiles } from './benign-files.ts';
import { benignFilters } from './benign-filters.ts';
import { benignGitQuestions } from './benign-git-questions.ts';
import { benignInstalled } from './benign-installed.ts';
import { benignInterpreters } from './benign-interpreters.ts';
import { benignPipelines } from './benign-pipelines.ts';
import { benignProfessions } from './benign-professions.ts';
import { benignScripts } from './benign-scripts.ts';
import { benignSearches } from './benign-searches.ts';
import { benignSecond } from './benign-second.ts';

/** Tables whose rows are also run, and compared with bash. */
export const benignRunTables: Readonly<Record<string, readonly string[]>> = {
  ...benignPipelines,
  'second table': benignSecond,
  'questions to git': benignGitQuestions,
  searches: benignSearches,
  filters: benignFilters,
  programs: benignInterpreters,
  installed: benignInstalled,
  scripts: benignScripts,
  'single files': benignFiles,
  professions: benignProfessions,
};

export const benignTables: Readonly<Record<string, readonly string[]>> = {
  'single commands': benignCommands,
  ...benignRunTables,
};

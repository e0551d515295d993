/** Names that no project gives to a directory of sources, by what is in them. A reader takes the groups that it can do without. */

/** The state of version control. */
export const versionControlNames: readonly string[] = ['.git', '.svn', '.hg'];

/** Installed packages: large, read by servers, edited by no user. */
export const packageNames: readonly string[] = ['node_modules', '.venv', '.tox'];

/** Caches and state that no language server reads. */
export const cacheNames: readonly string[] = ['__pycache__', '.cache', '.idea'];

/** Output and settings of tools, which a server may read. */
export const toolNames: readonly string[] = ['.next', '.vscode'];

/** Where a commit of ours keeps what it is about to put in place, in a workspace without git. */
export const transactionName = '.forerun-tx';

/** Found at the top of a Python environment made by `venv`, whatever its name. */
export const environmentMarker = 'pyvenv.cfg';

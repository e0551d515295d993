/** Names that are never used for directories of sources, by content. A caller takes the groups that it can skip. */

/** The state of version control. */
export const versionControlNames: readonly string[] = ['.git', '.svn', '.hg'];

/** Installed packages: large, read by servers, edited by no user. */
export const packageNames: readonly string[] = ['node_modules', '.venv', '.tox'];

/** Caches and state that no language server reads. */
export const cacheNames: readonly string[] = ['__pycache__', '.cache', '.idea'];

/** Output and settings of tools, which a server may read. */
export const toolNames: readonly string[] = ['.next', '.vscode'];

/** The staging directory of a commit, in a workspace without git. */
export const transactionName = '.forerun-tx';

/** Found at the top of a Python environment created by `venv`, whatever its name. */
export const environmentMarker = 'pyvenv.cfg';

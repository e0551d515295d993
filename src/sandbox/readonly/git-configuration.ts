/**
 * The settings a repository may have while git runs without confirmation.
 *
 * Invariant: this is an allow list: an unknown setting is refused.
 */

/** Whether a setting names no program and no remote that objects are fetched from, and changes no formats. */
export function isInertSetting(key: string): boolean {
  const section = key.slice(0, key.indexOf('.')).toLowerCase();
  const name = key.slice(key.lastIndexOf('.') + 1).toLowerCase();
  if (inertSections.has(section)) return true;
  return inertNames[section]?.split(/\s+/).includes(name) ?? false;
}

/** Sections in which every setting concerns commands that are never run here, or only appearance. */
const inertSections: ReadonlySet<string> = new Set([
  'advice',
  'branch',
  'color',
  'column',
  'credential',
  'fetch',
  'gui',
  'http',
  'init',
  'maintenance',
  'pull',
  'push',
  'rebase',
  'receive',
  'rerere',
  'safe',
  'url',
  'user',
]);

const inertNames: Readonly<Record<string, string>> = {
  core: `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol
    safecrlf abbrev quotepath compression excludesfile sharedrepository longpaths preloadindex commitgraph
    multipackindex untrackedcache checkstat trustctime whitespace editor protecthfs protectntfs`,
  remote: 'url pushurl fetch push mirror prune prunetags tagopt skipfetchall skipdefaultupdate',
  extensions: 'objectformat worktreeconfig',
  diff: 'algorithm renames renamelimit colormoved context interhunkcontext mnemonicprefix noprefix indentheuristic',
  merge: 'conflictstyle ff renames renamelimit stat log',
  log: 'date decorate follow abbrevcommit',
  status: 'showuntrackedfiles relativepaths branch short aheadbehind showstash',
  commit: 'gpgsign cleanup verbose',
  tag: 'gpgsign sort',
  gc: 'auto autodetach pruneexpire reflogexpire',
  index: 'version threads',
  pack: 'threads usebitmaps',
  blame: 'date showemail coloring',
  grep: 'linenumber column patterntype extendedregexp',
  lfs: 'repositoryformatversion',
};

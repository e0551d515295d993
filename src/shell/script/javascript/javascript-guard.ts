/**
 * Keeps a JavaScript program that reads listed files to the files that it names, and to those below the directories that
 * it lists.
 *
 * Invariant: a name from a listing that is a link to anything but a file below the listed directory is not read. The
 * guard has no value of its own, so that `node -p` prints what it would print without.
 */

interface GuardedReads {
  /** The listed directories, as written. */
  readonly directories: Iterable<string>;
  /** The files that the program names, as written. */
  readonly files: readonly string[];
}

/** The statements that come before a program. */
export function javascriptGuard({ directories, files }: GuardedReads): string {
  const listed = [...new Set(directories)];
  if (listed.length === 0) return '';
  const code = guard.replace('DIRECTORIES', () => JSON.stringify(listed));
  return `${code.replace('FILES', () => JSON.stringify(files))}void 0;`;
}

const guard = `{
  const fs = require('fs'), path = require('path'), read = fs.readFileSync;
  const listed = DIRECTORIES.map((each) => path.resolve(each));
  const named = FILES.map((each) => path.resolve(each));
  const inside = (file, directory) => (file + '/').startsWith(directory.replace(/\\/$/, '') + '/');
  const allows = (name) => {
    if (named.includes(name) || !fs.existsSync(name)) return true;
    const real = fs.realpathSync(name);
    const within = (each) => inside(name, each) && inside(real, fs.realpathSync(each));
    return fs.statSync(real).isFile() && listed.some(within);
  };
  fs.readFileSync = (file, ...rest) => {
    if (typeof file === 'string' && file !== '/dev/stdin' && !allows(path.resolve(file)))
      throw new Error('not a listed file: ' + file);
    return read(file, ...rest);
  };
}
`;

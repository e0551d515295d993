/**
 * Keeps a JavaScript program that reads listed files inside the directories that it lists.
 *
 * Invariant: a name from a listing that is a link to anything but a file below the listed directory is not read. The
 * guard has no value of its own, so that `node -p` prints what it would print without.
 */

/** The statements that come before a program. */
export function guardFor(directories: Iterable<string>): string {
  const listed = [...new Set(directories)];
  return listed.length === 0 ? '' : `${guard.replace('DIRECTORIES', JSON.stringify(listed))}void 0;`;
}

const guard = `{
  const fs = require('fs'), path = require('path'), read = fs.readFileSync;
  const listed = DIRECTORIES.map((each) => path.resolve(each));
  const inside = (file, directory) => (file + '/').startsWith(directory.replace(/\\/$/, '') + '/');
  fs.readFileSync = (file, ...rest) => {
    const name = typeof file === 'string' ? path.resolve(file) : undefined;
    const directory = name === undefined ? undefined : listed.find((each) => inside(name, each));
    if (directory !== undefined) {
      const real = fs.realpathSync(name);
      if (!inside(real, fs.realpathSync(directory)) || !fs.statSync(real).isFile())
        throw new Error('not a file below ' + directory + ': ' + name);
    }
    return read(file, ...rest);
  };
}
`;

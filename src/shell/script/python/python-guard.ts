/**
 * Keeps a Python program that opens listed files to the files that it names, and to those below the directories that it
 * lists.
 *
 * Invariant: a name from a listing that is a link to anything but a file below the listed directory is not opened.
 */

interface GuardedReads {
  /** The listed directories, as written. */
  readonly directories: readonly string[];
  /** The files that the program names, as written. */
  readonly files: readonly string[];
}

/** The statements that come before a program. */
export function pythonGuard({ directories, files }: GuardedReads): string {
  if (directories.length === 0) return '';
  const code = guard.replace('DIRECTORIES', () => JSON.stringify(directories));
  return `${code.replace('FILES', () => JSON.stringify(files))}\n`;
}

/**
 * An object, not a function: the library stores it in a class, where a function would become a method. The library itself
 * opens what it needs.
 */
const guard = `class _Opened:
    def __init__(self):
        import io, os, sys
        self.os, self.sys, self.open = os, sys, io.open
        self.listed = [os.path.abspath(each) for each in DIRECTORIES]
        self.named = [os.path.abspath(each) for each in FILES]
    def inside(self, path, directory):
        return (path + '/').startswith(directory.rstrip('/') + '/')
    def allows(self, file):
        path = self.os.path
        name = path.abspath(self.os.fsdecode(file))
        real = path.realpath(name)
        if name in self.named or name == '/dev/stdin' or not path.exists(real):
            return True
        return path.isfile(real) and any(
            self.inside(name, each) and self.inside(real, path.realpath(each)) for each in self.listed)
    def __call__(self, file, *args, **named):
        caller = self.sys._getframe(1).f_globals.get('__name__', '')
        if not isinstance(file, int) and caller.split('.')[0] in ('__main__', 'pathlib') and not self.allows(file):
            raise PermissionError('not a listed file: ' + str(file))
        return self.open(file, *args, **named)
import builtins, io
builtins.open = io.open = _Opened()
del _Opened, builtins, io`;

/**
 * Keeps a Python program that opens listed files inside the directories that it lists.
 *
 * Invariant: a name from a listing that is a link to anything but a file below the listed directory is not opened.
 */

/** The statements that come before a program. */
export function guardFor(directories: readonly string[]): string {
  if (directories.length === 0) return '';
  return `${guard.replace('DIRECTORIES', JSON.stringify(directories))}\n`;
}

/** An object, not a function: the library stores it in a class, where a function would become a method. */
const guard = `class _Opened:
    def __init__(self):
        import io, os
        self.os, self.open = os, io.open
        self.listed = [os.path.abspath(each) for each in DIRECTORIES]
    def inside(self, path, directory):
        return (path + '/').startswith(directory.rstrip('/') + '/')
    def __call__(self, file, *args, **named):
        path = self.os.path
        if not isinstance(file, int):
            name = path.abspath(self.os.fsdecode(file))
            real = path.realpath(name)
            for each in self.listed:
                if self.inside(name, each) and not (self.inside(real, path.realpath(each)) and path.isfile(real)):
                    raise PermissionError('not a file below ' + each + ': ' + name)
        return self.open(file, *args, **named)
import builtins, io
builtins.open = io.open = _Opened()
del _Opened, builtins, io`;

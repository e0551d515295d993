/**
 * Adds arguments that prevent a program from following links out of its inputs, or from updating its own files.
 *
 * Invariant: without such links and stale lock files, the answer is the same as with the original arguments.
 */
export function hardenArguments(
  name: string,
  args: readonly string[],
  files: 'named' | 'provided',
): readonly string[] {
  switch (name) {
    case 'grep':
    case 'egrep':
    case 'fgrep':
    case 'rgrep':
      return upToSeparator(args, (arg) =>
        arg === '--dereference-recursive'
          ? '--recursive'
          : /^-[a-zA-Z]*R[a-zA-Z]*$/.test(arg)
            ? arg.replace('R', 'r')
            : arg,
      );
    case 'diff':
      // The name of a provided file is itself a link.
      return files === 'provided' ? args : ['--no-dereference', ...args];
    case 'xmllint':
      return ['--nonet', ...args];
    case 'apt':
    case 'apt-cache':
      // Run by the administrator, it would rebuild its caches.
      return ['-o', 'Dir::Cache::pkgcache=', '-o', 'Dir::Cache::srcpkgcache=', ...args];
    case 'cargo':
      return args[0] === 'tree' || args[0] === 'metadata'
        ? [args[0], '--offline', '--locked', ...args.slice(1)]
        : args;
    default:
      return args;
  }
}

function upToSeparator(args: readonly string[], change: (arg: string) => string): readonly string[] {
  const end = args.indexOf('--');
  return args.map((arg, index) => (end >= 0 && index >= end ? arg : change(arg)));
}

/**
 * File descriptors inherited from our parent, which our child processes would inherit too.
 *
 * Invariant: a confined command gets its three standard streams and no other open descriptor.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { MountRefused } from './mount-refused.ts';

/** The argv that closes them and executes `command`; `command` itself if there are none. */
export function withoutInherited(command: readonly string[]): readonly string[] {
  inherited ??= inheritedDescriptors();
  if (inherited.length === 0) return command;
  return [...closer(inherited), ...inherited.map(String), '--', ...command];
}

/** Node opens descriptors with close-on-exec, so the inherited ones never change. */
let inherited: readonly number[] | undefined;

const closedOnExec = 0o2000000;

function inheritedDescriptors(): readonly number[] {
  const numbers = readdirSync('/proc/self/fdinfo').map(Number);
  return numbers.filter((descriptor) => descriptor > 2 && isInherited(descriptor));
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return (Number.parseInt(flags ?? '0', 8) & closedOnExec) === 0;
  } catch {
    // The descriptor that listed the directory is closed again.
    return false;
  }
}

/** Not every shell supports descriptors of two digits. */
function closer(descriptors: readonly number[]): readonly string[] {
  const bash = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path));
  const shell = bash ?? (descriptors.every((each) => each < 10) ? '/bin/sh' : undefined);
  // With a socket as its input, bash considers itself a remote shell and would read the user's files.
  const bare = bash === undefined ? [] : ['--norc', '--noprofile'];
  if (shell !== undefined) return [shell, ...bare, '-c', shellText, 'sh'];
  if (existsSync('/usr/bin/perl')) return ['/usr/bin/perl', '-e', perlText];
  throw new MountRefused(
    'this process inherited open descriptors, and neither bash nor perl is installed to close them',
  );
}

const shellText = 'while [ "$1" != -- ]; do eval "exec $1>&-"; shift; done; shift; exec "$@"';
const perlText = 'use POSIX (); while (($_ = shift) ne "--") { POSIX::close($_) } exec { $ARGV[0] } @ARGV';

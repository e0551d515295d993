/**
 * Whether a build on this machine includes a Go file, by its name and its build constraints.
 *
 * Invariant: a file is reported as excluded only if that is certain; an unknown tag may be set.
 */
import { isIgnored, unreached } from './beside-builds.ts';

/** The platform and tags of a build. */
export interface GoPlatform {
  readonly os: string;
  readonly architecture: string;
  /** Tags set by the user. */
  readonly tags: ReadonlySet<string>;
}

/** The platform of builds here, by the environment of the go command. */
export function goPlatform(
  env: Readonly<Record<string, string | undefined>>,
  machine: { readonly platform: string; readonly arch: string } = process,
): GoPlatform {
  const { platform, arch } = machine;
  return {
    os: env.GOOS || systems[platform] || platform,
    architecture: env.GOARCH || architectures[arch] || arch,
    tags: new Set((/-tags[= ]([^\s"']+)/.exec(env.GOFLAGS ?? '')?.[1] ?? '').split(',').filter(Boolean)),
  };
}

/** Why no build for the platform includes the file; undefined if one may. */
export function leftOutOfBuild(path: string, text: string, platform: GoPlatform): string | undefined {
  if (isIgnored(path)) return unreached;
  const { os, architecture } = platform;
  const target = `${os}/${architecture}`;
  const parts = (path.split('/').at(-1) ?? '')
    .replace(/\.go$/, '')
    .replace(/_test$/, '')
    .split('_')
    .slice(1);
  const [before, last] = [parts.at(-2), parts.at(-1)];
  const isArchitecture = last !== undefined && knownArchitectures.has(last);
  const system = isArchitecture ? before : last;
  const isSystem = system !== undefined && knownSystems.has(system);
  if (isArchitecture && last !== architecture) return `its name is not for ${target}`;
  if (isSystem && !isSystemOf(system, os)) return `its name is not for ${target}`;
  const constraint = constraintOf(text);
  if (constraint === undefined || holds(constraint, platform) !== false) return undefined;
  return `its build constraint (${constraint}) does not hold for ${target}`;
}

/** The expression of `//go:build` before the package clause, if there is one. */
export function constraintOf(text: string): string | undefined {
  const head = text.replace(/^\uFEFF/, '').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  for (const line of head.split('\n')) {
    const trimmed = line.trim();
    const match = /^\/\/go:build\s+(.*)$/.exec(trimmed);
    if (match) return match[1]?.trim();
    if (trimmed !== '' && !trimmed.startsWith('//')) return undefined;
  }
  return undefined;
}

type Truth = boolean | 'maybe';

/**
 * The value of an expression of tags with `!`, `&&`, `||` and parentheses; an expression that cannot be parsed may be
 * true.
 */
function holds(expression: string, platform: GoPlatform): Truth {
  const tokens = expression.match(/&&|\|\||[!()]|[^\s!()&|]+/g) ?? [];
  let place = 0;
  const primary = (): Truth => {
    const token = tokens[place++];
    if (token === '!') return not(primary());
    if (token !== '(') return token === undefined ? 'maybe' : tagHolds(token, platform);
    const value = either();
    place += 1;
    return value;
  };
  const both = (): Truth => {
    let value = primary();
    while (tokens[place] === '&&') {
      place += 1;
      value = and(value, primary());
    }
    return value;
  };
  const either = (): Truth => {
    let value = both();
    while (tokens[place] === '||') {
      place += 1;
      value = not(and(not(value), not(both())));
    }
    return value;
  };
  const value = either();
  return place === tokens.length ? value : 'maybe';
}

function not(value: Truth): Truth {
  return value === 'maybe' ? value : !value;
}

function and(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false;
  return a === true && b === true ? true : 'maybe';
}

function tagHolds(tag: string, { os, architecture, tags }: GoPlatform): Truth {
  if (tags.has(tag)) return true;
  if (knownSystems.has(tag)) return isSystemOf(tag, os);
  if (knownArchitectures.has(tag)) return tag === architecture;
  if (tag === 'unix') return unixSystems.has(os);
  if (tag === 'gc') return true;
  // Only the go command knows whether a release is recent enough, C can be compiled, or a detector is on.
  if (/^go1\.\d+$|^(?:cgo|race|msan|asan|purego|boringcrypto|goexperiment\..*)$/.test(tag)) return 'maybe';
  return false;
}

function isSystemOf(name: string, os: string): boolean {
  return name === os || alsoHolds[os] === name;
}

const alsoHolds: Readonly<Record<string, string>> = { android: 'linux', illumos: 'solaris', ios: 'darwin' };

const systems: Readonly<Record<string, string>> = { win32: 'windows', sunos: 'solaris' };
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', mipsel: 'mipsle' };

const unixSystems: ReadonlySet<string> = new Set(
  'aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris'.split(' '),
);
const knownSystems: ReadonlySet<string> = new Set([
  ...unixSystems,
  ...'js nacl plan9 wasip1 windows zos'.split(' '),
]);
const knownArchitectures: ReadonlySet<string> = new Set(
  '386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm'.split(
    ' ',
  ),
);

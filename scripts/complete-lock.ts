/**
 * Completes package-lock.json after a change of dependencies.
 *
 * Packages that ship a binary per platform list all of them as optional. A registry mirror that holds only this
 * platform's leaves the others out of the lock, and `npm ci` then calls the lock out of step. They are written
 * in here with the platform their name tells, so that `npm ci` knows them and passes them over.
 *
 * Run as `npx tsx scripts/complete-lock.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = 'package-lock.json';
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(file, 'utf8'));
let added = 0;
for (const [place, { optionalDependencies, dev }] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(optionalDependencies ?? {})) {
    const found = nearest(place, name);
    if (found !== undefined && isWanted(found, range)) continue;
    // Another version of it at the top leaves this one a place below its own package.
    const free = found === undefined ? `node_modules/${name}` : `${place}/node_modules/${name}`;
    lock.packages[free] = {
      version: range.replace(/^[\^~]/, ''),
      ...platformOf(name),
      ...(dev && { dev }),
      ...{ license: 'MIT', optional: true },
    };
    added += 1;
  }
}
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
console.log(`${added} packages of other platforms added to ${file}`);

/** The package that npm finds under this name from `place`: below it, or wherever above it looks. */
function nearest(place: string, name: string): LockedPackage | undefined {
  const parts = place.split('/node_modules/');
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join('/node_modules/'));
  const candidates = [...above.map((parent) => `${parent}/node_modules/${name}`), `node_modules/${name}`];
  return candidates.map((candidate) => lock.packages[candidate]).find((locked) => locked !== undefined);
}

/** Platform packages are wanted in one exact version; a range was settled by npm itself. */
function isWanted({ version }: LockedPackage, range: string): boolean {
  return version === range || !/^\d/.test(range);
}

function platformOf(name: string): {
  os: readonly string[];
  cpu: readonly string[];
  libc?: readonly string[];
} {
  const words = name.split(/[/-]/);
  const find = (known: readonly string[]) => known.filter((word) => words.some((each) => each === word));
  const os = find([
    'android',
    'darwin',
    'freebsd',
    'linux',
    'netbsd',
    'openbsd',
    'openharmony',
    'sunos',
    'aix',
    'win32',
  ]);
  const cpu = find([
    'arm64',
    'x64',
    'arm',
    'ia32',
    'loong64',
    'mips64el',
    'ppc64',
    'riscv64',
    's390x',
    'wasm32',
  ]);
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : [];
  return {
    // A name that tells no platform is kept from being installed anywhere it was not seen.
    os: os.length > 0 ? os : ['none'],
    cpu: cpu.length > 0 ? cpu : ['none'],
    ...(libc.length > 0 && { libc }),
  };
}

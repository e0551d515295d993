import { expect, test } from 'vitest';
import { type FilterArchitecture, type FilterOptions, seccompFilter } from './seccomp-filter.ts';

const audit = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const allow = 'allow';

/** Runs the filter like the kernel, on the data of one call. */
function decide(
  options: FilterOptions,
  call: { nr: number; args?: readonly number[]; arch?: number },
): string {
  const program = seccompFilter(options);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.nr, 0);
  data.writeUInt32LE(call.arch ?? audit[options.architecture], 4);
  for (const [index, value] of (call.args ?? []).entries())
    data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; ; at += 1) {
    const [code, then, otherwise] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
    ];
    const value = program.readUInt32LE(at * 8 + 4);
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x06) return value === 0x7fff0000 ? allow : `errno ${value & 0xffff}`;
    else {
      const holds =
        code === 0x15
          ? accumulator === value
          : code === 0x35
            ? accumulator >= value
            : (accumulator & value) !== 0;
      at += holds ? then : otherwise;
    }
  }
}

const numbers: Readonly<Record<FilterArchitecture, Readonly<Record<string, number>>>> = {
  x64: {
    read: 0,
    clone: 56,
    unshare: 272,
    ioctl: 16,
    socket: 41,
    keyctl: 250,
    mount: 165,
    ptrace: 101,
    execve: 59,
  },
  arm64: {
    read: 63,
    clone: 220,
    unshare: 97,
    ioctl: 29,
    socket: 198,
    keyctl: 219,
    mount: 40,
    ptrace: 117,
    execve: 221,
  },
};

const newUser = 0x10000000;

for (const architecture of ['x64', 'arm64'] as const) {
  test.each<[string, readonly number[], string]>([
    ['read', [], allow],
    ['execve', [], allow],
    ['ptrace', [], allow],
    ['keyctl', [0], 'errno 1'],
    ['mount', [], 'errno 1'],
    ['unshare', [newUser], 'errno 1'],
    ['unshare', [0x20000], 'errno 1'],
    ['unshare', [0x400], allow],
    ['clone', [0x11], allow],
    ['clone', [0x3d0f00], allow],
    ['clone', [0x11 + newUser], 'errno 1'],
    ['clone', [0x11 + 0x40000000], 'errno 1'],
    ['ioctl', [0, 0x5412], 'errno 1'],
    ['ioctl', [0, 0x541c], 'errno 1'],
    ['ioctl', [0, 0x5413], allow],
    ['socket', [1], allow],
    ['socket', [2], allow],
    ['socket', [10], allow],
    ['socket', [16], allow],
    ['socket', [40], 'errno 97'],
    ['socket', [38], 'errno 97'],
  ])(`on ${architecture} %s %j is %s`, (name, args, verdict) => {
    const nr = numbers[architecture][name] ?? -1;
    expect(decide({ architecture, unixSockets: 'allowed' }, { nr, args })).toBe(verdict);
  });

  test(`on ${architecture} named sockets can be refused, and nothing else with them`, () => {
    const nr = numbers[architecture].socket ?? -1;
    const options = { architecture, unixSockets: 'refused' } as const;
    expect(decide(options, { nr, args: [1] })).toBe('errno 97');
    expect(decide(options, { nr, args: [2] })).toBe(allow);
  });

  test(`on ${architecture} calls of another convention do not exist`, () => {
    const options = { architecture, unixSockets: 'allowed' } as const;
    expect(decide(options, { nr: 0, arch: 0x40000003 })).toBe('errno 38');
    expect(decide(options, { nr: 435 })).toBe('errno 38');
    if (architecture === 'x64') expect(decide(options, { nr: 0x40000000 + 165 })).toBe('errno 38');
  });
}

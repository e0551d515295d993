/**
 * The seccomp filter: the system calls that a confined command may not make.
 *
 * Invariant: a call is refused with an error, never with a signal, so programs that probe for a feature continue
 * without it. Only the native calling convention of the machine is allowed; another one would bypass every rule.
 */

/** The architectures whose system call numbers are listed here. */
export type FilterArchitecture = 'x64' | 'arm64';

export interface FilterOptions {
  readonly architecture: FilterArchitecture;
  /**
   * `refused`: no Unix sockets by path, for layouts in which directories of the host are bound instead of overlaid.
   */
  readonly unixSockets: 'allowed' | 'refused';
}

export function filterArchitecture(): FilterArchitecture | undefined {
  return process.arch === 'x64' || process.arch === 'arm64' ? process.arch : undefined;
}

/** The instructions in the byte order of both architectures, eight bytes each. */
export function seccompFilter(options: FilterOptions): Buffer {
  const { architecture, unixSockets } = options;
  const families = unixSockets === 'allowed' ? [unix, ...networkFamilies] : networkFamilies;
  const program = new FilterProgram();
  program.load(architectureOffset);
  program.unless(auditArchitecture[architecture], 'unknown');
  program.load(numberOffset);
  // Calls of the x32 convention have this bit set and would bypass the numbers below.
  if (architecture === 'x64') program.whenAtLeast(0x4000_0000, 'unknown');
  const numberOf = (call: CallNumbers): number => call[architecture];
  program.when(numberOf(calls.clone3), 'unknown');
  for (const call of refusedCalls) {
    const number = call[architecture];
    if (number !== undefined) program.when(number, 'refused');
  }
  program.section(numberOf(calls.unshare), (at) =>
    at.loadArgument(0).whenAny(namespaceFlags | 0x80, 'refused'),
  );
  program.section(numberOf(calls.clone), (at) => at.loadArgument(0).whenAny(namespaceFlags, 'refused'));
  program.section(numberOf(calls.ioctl), (at) => {
    at.loadArgument(1);
    for (const request of terminalInjections) at.when(request, 'refused');
  });
  program.section(numberOf(calls.socket), (at) => {
    at.loadArgument(0);
    for (const family of families) at.when(family, 'allowed');
    at.go('familyless');
  });
  return program.assemble();
}

interface CallNumbers {
  readonly x64: number;
  readonly arm64: number;
}

const calls = {
  clone3: { x64: 435, arm64: 435 },
  unshare: { x64: 272, arm64: 97 },
  clone: { x64: 56, arm64: 220 },
  ioctl: { x64: 16, arm64: 29 },
  socket: { x64: 41, arm64: 198 },
} as const;

/** Keyrings, mounts, kernel modules, kernel tracing, the clock, and other calls that concern the whole machine. */
const refusedCalls: readonly { readonly x64?: number; readonly arm64?: number }[] = [
  { x64: 248, arm64: 217 }, // add_key
  { x64: 249, arm64: 218 }, // request_key
  { x64: 250, arm64: 219 }, // keyctl
  { x64: 321, arm64: 280 }, // bpf
  { x64: 298, arm64: 241 }, // perf_event_open
  { x64: 323, arm64: 282 }, // userfaultfd
  { x64: 425, arm64: 425 }, // io_uring_setup
  { x64: 426, arm64: 426 }, // io_uring_enter
  { x64: 427, arm64: 427 }, // io_uring_register
  { x64: 165, arm64: 40 }, // mount
  { x64: 166, arm64: 39 }, // umount2
  { x64: 155, arm64: 41 }, // pivot_root
  { x64: 161, arm64: 51 }, // chroot
  { x64: 428, arm64: 428 }, // open_tree
  { x64: 429, arm64: 429 }, // move_mount
  { x64: 430, arm64: 430 }, // fsopen
  { x64: 431, arm64: 431 }, // fsconfig
  { x64: 432, arm64: 432 }, // fsmount
  { x64: 433, arm64: 433 }, // fspick
  { x64: 442, arm64: 442 }, // mount_setattr
  { x64: 467, arm64: 467 }, // open_tree_attr
  { x64: 308, arm64: 268 }, // setns
  { x64: 304, arm64: 265 }, // open_by_handle_at
  { x64: 300, arm64: 262 }, // fanotify_init
  { x64: 246, arm64: 104 }, // kexec_load
  { x64: 320, arm64: 294 }, // kexec_file_load
  { x64: 175, arm64: 105 }, // init_module
  { x64: 313, arm64: 273 }, // finit_module
  { x64: 176, arm64: 106 }, // delete_module
  { x64: 179, arm64: 60 }, // quotactl
  { x64: 443, arm64: 443 }, // quotactl_fd
  { x64: 163, arm64: 89 }, // acct
  { x64: 167, arm64: 224 }, // swapon
  { x64: 168, arm64: 225 }, // swapoff
  { x64: 169, arm64: 142 }, // reboot
  { x64: 164, arm64: 170 }, // settimeofday
  { x64: 227, arm64: 112 }, // clock_settime
  { x64: 305, arm64: 266 }, // clock_adjtime
  { x64: 159, arm64: 171 }, // adjtimex
  { x64: 170, arm64: 161 }, // sethostname
  { x64: 171, arm64: 162 }, // setdomainname
  { x64: 153, arm64: 58 }, // vhangup
  { x64: 103, arm64: 116 }, // syslog
  { x64: 180, arm64: 42 }, // nfsservctl
  { x64: 212, arm64: 18 }, // lookup_dcookie
  { x64: 172 }, // iopl
  { x64: 173 }, // ioperm
  { x64: 154 }, // modify_ldt
];

/** All but CLONE_NEWTIME, whose bit is part of the signal number in `clone`. */
const namespaceFlags = 0x7e02_0000;

/** TIOCSTI and TIOCLINUX, with which a program can type into its terminal. */
const terminalInjections: readonly number[] = [0x5412, 0x541c];

const unix = 1;

/** IPv4, IPv6 and netlink, with which programs list the interfaces of their network namespace. */
const networkFamilies: readonly number[] = [2, 10, 16];

const auditArchitecture: Readonly<Record<FilterArchitecture, number>> = {
  x64: 0xc000_003e,
  arm64: 0xc000_00b7,
};

const numberOffset = 0;
const architectureOffset = 4;

type Verdict = 'allowed' | 'refused' | 'unknown' | 'familyless';

/** The kernel's action: allow, or fail the call with EPERM, ENOSYS or EAFNOSUPPORT. */
const returned: Readonly<Record<Verdict, number>> = {
  allowed: 0x7fff_0000,
  refused: 0x0005_0001,
  unknown: 0x0005_0026,
  familyless: 0x0005_0061,
};

interface Instruction {
  readonly code: number;
  readonly value: number;
  readonly then?: Verdict | undefined;
  readonly otherwise?: Verdict | number | undefined;
}

/** Classic BPF instructions, with jumps to named verdicts. */
class FilterProgram {
  readonly #instructions: Instruction[] = [];

  load(offset: number): this {
    return this.#push({ code: 0x20, value: offset });
  }

  /** The low half of an argument; the high half holds no relevant flag. */
  loadArgument(index: number): this {
    return this.load(16 + 8 * index);
  }

  when(value: number, then: Verdict): this {
    return this.#push({ code: 0x15, value, then });
  }

  unless(value: number, otherwise: Verdict): this {
    return this.#push({ code: 0x15, value, otherwise });
  }

  whenAtLeast(value: number, then: Verdict): this {
    return this.#push({ code: 0x35, value, then });
  }

  whenAny(bits: number, then: Verdict): this {
    return this.#push({ code: 0x45, value: bits, then });
  }

  go(then: Verdict): this {
    return this.#push({ code: 0x06, value: returned[then] });
  }

  /** Rules for one call; a call that none of them decides is allowed. */
  section(call: number, rules: (program: FilterProgram) => void): void {
    const inner = new FilterProgram();
    rules(inner);
    if (inner.#instructions.at(-1)?.code !== 0x06) inner.go('allowed');
    this.#push({ code: 0x15, value: call, otherwise: inner.#instructions.length });
    this.#instructions.push(...inner.#instructions);
  }

  assemble(): Buffer {
    const verdicts: readonly Verdict[] = ['allowed', 'refused', 'unknown', 'familyless'];
    const end = this.#instructions.length;
    const all = [...this.#instructions, ...verdicts.map((each) => ({ code: 0x06, value: returned[each] }))];
    const bytes = Buffer.alloc(all.length * 8);
    for (const [at, instruction] of this.#instructions.entries()) {
      const distance = (to: Verdict | number | undefined): number => {
        if (to === undefined) return 0;
        return typeof to === 'number' ? to : end + verdicts.indexOf(to) - at - 1;
      };
      bytes.writeUInt8(distance(instruction.then), at * 8 + 2);
      bytes.writeUInt8(distance(instruction.otherwise), at * 8 + 3);
    }
    for (const [at, { code, value }] of all.entries()) {
      bytes.writeUInt16LE(code, at * 8);
      bytes.writeUInt32LE(value, at * 8 + 4);
    }
    return bytes;
  }

  #push(instruction: Instruction): this {
    this.#instructions.push(instruction);
    return this;
  }
}

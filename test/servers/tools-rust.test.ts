/**
 * What tools answer on Rust, all by one rust-analyzer: it reads the standard library when it starts, which takes longer than
 * everything it is asked here.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languageCases } from '../support/language-case.ts';
import { isOnPath } from '../support/on-path.ts';
import { checkSymbolCase, type SymbolCase, undone } from '../support/symbol-edit.ts';
import { ToolWorld } from '../support/tool-world.ts';

const sample = languageCases.find(({ language }) => language === 'rust');
/** One manifest for all: rust-analyzer is started anew where it changes. */
const manifest = { 'Cargo.toml': sample?.files['Cargo.toml'] ?? '' };

const isPresent = isOnPath('rust-analyzer');

describe.skipIf(!isPresent)(`with rust-analyzer${isPresent ? '' : ' (not installed)'}`, () => {
  let rust: ToolWorld;

  beforeAll(async () => {
    rust = await ToolWorld.open(sample?.files ?? {});
  });
  afterAll(() => rust?.[Symbol.asyncDispose]());

  test('uses in files that were never opened are found', async () => {
    const { json, meta } = await rust.call('find_references', {
      file_path: rust.at('src/math.rs'),
      position_pattern: 'fn @@add',
    });
    const files: readonly { file: string }[] = Object(json);
    expect(files.map(({ file }) => file)).toContain(rust.at(sample?.dependent ?? ''));
    expect(meta).toMatchObject({ indexed: true });
  });

  test('actions the server fills in later are filled in, and the library is documented', async () => {
    await rust.world.replaceFiles({
      ...manifest,
      'src/lib.rs': '/// Adds.\npub fn add(a: i32) -> i32 {\n    if a > 1 { a } else { 2 }\n}\n',
    });
    const file = { file_path: rust.at('src/lib.rs') };
    const answer = await rust.call('suggest_fixes', { ...file, line: 3, column: 5 });
    const actions: readonly { edit?: unknown; command?: unknown }[] = Object(answer.json);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter(({ edit, command }) => edit === undefined && command === undefined)).toEqual([]);
    const read = { symbol: 'std::fs::read', language_id: 'rust', ...file };
    expect((await rust.call('get_symbol_documentation', read)).json).toMatchObject({
      source: 'hover',
      signature: expect.stringContaining('pub fn read'),
    });
  });

  test('a module of tests is a test, though it stands in the source', async () => {
    await rust.world.replaceFiles({
      ...manifest,
      'src/lib.rs':
        'pub fn twice(n: i32) -> i32 {\n    n * 2\n}\n\npub fn four(n: i32) -> i32 {\n    twice(twice(n))\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn doubles() {\n        assert!(twice(1) == 2);\n    }\n}\n',
    });
    const { json } = await rust.call('blast_radius', { changed_files: [rust.at('src/lib.rs')] });
    const answer = JSON.parse(JSON.stringify(json).replaceAll(`${rust.world.root}/`, ''));
    expect(answer.affected_symbols).toMatchObject([
      {
        name: 'twice',
        test_callers: [{ name: 'doubles', file: 'src/lib.rs' }],
        non_test_callers: [
          { line: 6, caller: 'four' },
          { line: 6, caller: 'four' },
        ],
      },
      { name: 'four', test_callers: [], non_test_callers: [] },
    ]);
  });

  describe('edits', () => {
    beforeAll(() =>
      rust.world.replaceFiles({
        ...manifest,
        'src/lib.rs':
          'pub mod user;\n\n/// S is.\n#[derive(Debug)]\npub struct S {\n    pub a: i32,\n}\n\nimpl S {\n    /// M does.\n    pub fn m(&self) -> i32 { self.a }\n\n    #[allow(dead_code)]\n    fn apart(&self) {}\n}\n\nmod inner {\n    pub fn deep() {}\n}\n',
        'src/user.rs': 'pub fn user(s: &crate::S) -> i32 {\n    s.m()\n}\n',
      }),
    );

    test.each<SymbolCase>([
      {
        title: 'a method in an impl',
        on: () => rust,
        tool: 'replace_symbol_body',
        file: 'src/lib.rs',
        args: { symbol_path: 'S::m', new_body: 'let x = self.a;\nx' },
        contains:
          '    /// M does.\n    pub fn m(&self) -> i32 {\n        let x = self.a;\n        x\n    }\n',
      },
      {
        title: 'an unused method goes with its attribute',
        on: () => rust,
        tool: 'safe_delete_symbol',
        file: 'src/lib.rs',
        args: { symbol_path: 'impl S.apart' },
        contains: '{ self.a }\n}\n\nmod inner',
        without: 'dead_code',
      },
    ])('$title', checkSymbolCase);

    test('a code action that creates a file is applied by apply_edit', async () => {
      const { json } = await rust.call('suggest_fixes', {
        file_path: rust.at('src/lib.rs'),
        line: 17,
        column: 5,
      });
      const actions: readonly { title: string; edit?: unknown }[] = Array.isArray(json) ? json : [];
      const action = actions.find(({ title }) => title === 'Extract module to file');
      await undone(rust, async () => {
        const answer = await rust.call('apply_edit', { workspace_edit: action?.edit });
        expect(answer.text).toBe('Edit applied successfully');
        expect(await rust.world.read('src/inner.rs')).toContain('pub fn deep() {}');
        expect(await rust.world.read('src/lib.rs')).toContain('mod inner;\n');
      });
      await expect(rust.world.read('src/inner.rs')).rejects.toThrow('ENOENT');
    });

    test('a rename reaches the other module', async () => {
      await undone(rust, async () => {
        const answer = await rust.call('rename_symbol', {
          file_path: rust.at('src/lib.rs'),
          position_pattern: 'pub fn @@m(',
          new_name: 'measure',
        });
        expect(answer.text).toBe('Renamed to "measure" across 2 location(s) in 2 file(s): lib.rs, user.rs');
        expect(await rust.world.read('src/user.rs')).toContain('s.measure()');
      });
    });
  });
});

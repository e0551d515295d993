/** What others rely on, pinned. A red pin asks: did you mean to? */
import { describe, expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import * as library from '../../src/index.ts';
import { instructions } from '../../src/mcp/instructions.ts';
import { toolListing } from '../../src/mcp/tool-listing.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import { sourceFiles } from '../support/source-tree.ts';

describe('tools', () => {
  test('names, parameters and annotations', () => {
    const lines = toolListing(catalogue).map(({ name, inputSchema, annotations }) => {
      const required = inputSchema.required ?? [];
      const names = Object.keys(inputSchema.properties ?? {});
      const shown = names.map((parameter) => (required.includes(parameter) ? `${parameter}*` : parameter));
      const marks = [
        annotations?.readOnlyHint && 'RO',
        annotations?.destructiveHint && 'D',
        annotations?.idempotentHint && 'I',
      ].filter(Boolean);
      return `${name}(${shown.join(', ')})${marks.length > 0 ? ` ${marks.join(' ')}` : ''}`;
    });
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "preview_edit(file_path*, start_line, start_column, end_line, end_column, range, new_text, operation, new_path, scope, timeout_ms, session_id, workspace_root, language)
      create_simulation_session(workspace_root*, language*)
      simulate_edit(session_id*, file_path*, start_line, start_column, end_line, end_column, range, new_text, operation, new_path)
      evaluate_session(session_id*, scope, timeout_ms) RO
      simulate_chain(session_id, workspace_root, language, edits*, timeout_ms)
      commit_session(session_id*, apply, target, patch_format, force)
      discard_session(session_id*)
      destroy_session(session_id*)
      compare_sessions(session_ids*, scope, timeout_ms) RO
      list_sessions() RO
      resume_session(session_id*)
      safe_apply_edit(file_path*, old_text*, new_text*, scope, timeout_ms, force) D
      safe_edit(file_path*, old_text*, new_text*, scope, timeout_ms, force) D
      apply_edit(workspace_edit, file_path, old_text, new_text, occurrence, replace_all) D
      get_diagnostics(file_path, group_by) RO
      start_lsp(root_dir*, language_id, connect, ready_timeout_seconds) I
      restart_lsp_server(root_dir, language_id) I
      open_document(file_path*, text) RO
      close_document(file_path*) RO
      detect_lsp_servers(workspace_dir*) RO
      set_log_level(level*) I
      get_server_capabilities(file_path) RO"
    `);
  });

  test('whole schemas', () => {
    expect(Object.fromEntries(catalogue.map((tool) => [tool.name, tool.inputSchema]))).toMatchSnapshot();
  });

  test('older names that still answer', () => {
    const pairs = catalogue.flatMap((tool) => tool.aliases.map((alias) => `${alias} -> ${tool.name}`));
    expect(pairs).toMatchInlineSnapshot(`
      [
        "simulate_edit_atomic -> preview_edit",
      ]
    `);
  });

  test('every schema node has one scalar type, so that strict clients accept it', () => {
    const check = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        const isNamed = place.endsWith('.properties');
        if (key === 'type' && !isNamed) expect(typeof value, place).toBe('string');
        if (!isNamed) expect(['anyOf', 'oneOf', 'allOf', '$ref', '$schema'], place).not.toContain(key);
        check(value, `${place}.${key}`);
      }
    };
    for (const { name, inputSchema } of toolListing(catalogue)) check(inputSchema, name);
  });

  test('no name is taken twice', () => {
    const names = catalogue.flatMap((tool) => [
      tool.name,
      ...tool.aliases,
      ...tool.listedAliases.map((alias) => alias.name),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('the instructions name only tools that exist, and stay short', () => {
    const named = instructions.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [];
    const known = catalogue.map((tool) => tool.name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    // A token is about four characters of English.
    expect(instructions.length / 4).toBeLessThan(300);
  });
});

test('commands and their flags', () => {
  const program = buildProgram({ signal: new AbortController().signal, closing: () => {} }, () => {});
  const lines = [program, ...program.commands].map((command) => {
    const words = command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    );
    return [command.name(), ...words, ...command.options.map((option) => option.flags)].join('  ');
  });
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "forerun  -V, --version
    mcp  [servers]  --auto  --config <file>  --merge-config <file>  --log-level <level>
    whatif  <patch>  --root <dir>  --scope <scope>  --timeout <ms>  --json  --sarif  --color <when>
    doctor  [specs]  --json  --color <when>
    call  <tool>  [arguments]  --json
    demo  --color <when>"
  `);
});

test('library exports', () => {
  expect(Object.keys(library).sort().join(' ')).toMatchInlineSnapshot(
    `"Baseline DiskSource Failure Log OpenWorkspaces Overlay Session Sessions Workspace applyPatch applyWorkspaceEdit catalogue commitOverlay contentOf dispatch languageId languageOf parseServerConfig parseServerSpecs parseUnifiedDiff parseWorkspaceEdit printUnifiedDiff renderPatch renderWorkspaceEdit silentLog verdictOf"`,
  );
});

test('failure codes', async () => {
  const codes = (await sourceFiles('src'))
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ text }) => [...text.matchAll(/readonly code = '([^']+)'/g)].map(([, code]) => code));
  expect([...codes].sort().join('\n')).toMatchInlineSnapshot(`
    "cli/bad-usage
    cli/patch-rejected
    cli/unreadable-config
    cli/unreadable-patch
    lsp/connect-failed
    lsp/document-state
    lsp/initialize-failed
    lsp/protocol-garbage
    lsp/request-timeout
    lsp/response-error
    lsp/server-crashed
    lsp/server-not-found
    lsp/server-stopped
    overlay/aliased-paths
    overlay/commit-failed
    overlay/commit-interrupted
    overlay/corrupt-spill
    overlay/corrupt-transaction
    overlay/cross-device
    overlay/directory-not-empty
    overlay/file-exists
    overlay/malformed-edit
    overlay/no-such-file
    overlay/not-a-file-path
    overlay/not-text
    process/command-not-found
    process/spawn-failed
    sandbox/mount-refused
    sandbox/path-leaves-workspace
    servers/embedded-missing
    servers/invalid-config
    servers/invalid-spec
    servers/no-workspace
    servers/not-installed
    servers/unknown-file-type
    session/conflict
    session/dirty
    session/not-committable
    session/not-evaluable
    session/not-found
    session/terminal
    session/too-many
    text/column-out-of-range
    text/edit-out-of-range
    text/line-out-of-range
    text/malformed-patch
    text/offset-out-of-range
    text/overlapping-edits
    text/reversed-edit
    text/splits-surrogate-pair
    tools/conflict
    tools/denied
    tools/invalid-argument
    tools/missing-argument
    tools/nothing-to-start
    tools/unexpected
    tools/unknown-tool
    workspace/invalid-path
    workspace/not-a-directory
    workspace/outside
    workspace/unreadable"
  `);
});

/** What others rely on, pinned. A red pin asks: did you mean to? */
import { describe, expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import * as index from '../../src/index.ts';
import * as evaluation from '../../src/library/evaluation.ts';
import * as overlay from '../../src/library/overlay.ts';
import * as queue from '../../src/library/queue.ts';
import * as sandbox from '../../src/library/sandbox.ts';
import * as session from '../../src/library/session.ts';
import * as speculation from '../../src/library/speculation.ts';
import { instructions } from '../../src/mcp/instructions.ts';
import { toolListing } from '../../src/mcp/tool-listing.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import { sourceFiles } from '../support/source-tree.ts';

const entryPoints = { index, evaluation, overlay, queue, sandbox, session, speculation };

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
      "preview_edit(file_path*, start_line, start_column, end_line, end_column, range, old_text, occurrence, replace_all, new_text, operation, new_path, edits, scope, timeout_ms, session_id, workspace_root, language, max_tokens)
      create_simulation_session(workspace_root*, language*, title)
      simulate_edit(session_id*, file_path*, start_line, start_column, end_line, end_column, range, old_text, occurrence, replace_all, new_text, operation, new_path)
      evaluate_session(session_id*, scope, timeout_ms, commands, max_tokens) RO
      simulate_chain(session_id, workspace_root, language, edits*, scope, timeout_ms, max_tokens)
      simulate_command(session_id*, command*, keep_changes, timeout_ms, max_tokens)
      commit_session(session_id*, apply, target, patch_format, force)
      discard_session(session_id*)
      destroy_session(session_id*)
      compare_sessions(session_ids*, scope, timeout_ms, max_tokens) RO
      compose_sessions(session_ids*, create_session, scope, timeout_ms, max_tokens)
      preview_merge(sides*, onto, workspace_root, scope, timeout_ms, max_tokens) RO
      list_sessions() RO
      resume_session(session_id*)
      safe_apply_edit(file_path*, old_text*, new_text*, scope, timeout_ms, force) D
      safe_edit(file_path*, old_text*, new_text*, scope, timeout_ms, force) D
      apply_edit(workspace_edit, file_path, old_text, new_text, occurrence, replace_all) D
      rename_symbol(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, new_name*, dry_run, exclude_globs) D
      prepare_rename(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end) RO
      format_document(file_path*, language_id, tab_size, insert_spaces, apply)
      format_range(file_path*, language_id, start_line, start_column, end_line, end_column, range, tab_size, insert_spaces, apply)
      replace_symbol_body(file_path, symbol_path*, language_id, new_body*) D
      insert_after_symbol(file_path, symbol_path*, language_id, code*)
      insert_before_symbol(file_path, symbol_path*, language_id, code*)
      safe_delete_symbol(file_path, symbol_path*, language_id) D
      execute_command(command*, arguments, file_path, language_id) D
      undo_last_commit(root_dir) D
      get_diagnostics(file_path, group_by, max_tokens) RO
      suggest_fixes(file_path*, language_id, start_line, start_column, end_line, end_column, range, line, column) RO
      inspect_symbol(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, max_tokens) RO
      explore_symbol(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, max_tokens) RO
      explore(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, max_tokens) RO
      get_editing_context(file_path*, language_id, if_none_match, max_tokens) RO
      list_symbols(file_path*, language_id, format, if_none_match, max_tokens) RO
      get_symbol_source(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, character, if_none_match, max_tokens) RO
      get_symbol_documentation(symbol*, language_id*, file_path, format, max_tokens) RO
      get_completions(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, limit, max_tokens) RO
      get_signature_help(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end) RO
      get_inlay_hints(file_path*, language_id, start_line, start_column, end_line, end_column, range, max_tokens) RO
      get_semantic_tokens(file_path*, language_id, start_line, start_column, end_line, end_column, range, max_tokens) RO
      go_to_definition(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, limit, offset, max_tokens) RO
      go_to_type_definition(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, limit, offset, max_tokens) RO
      go_to_implementation(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, limit, offset, max_tokens) RO
      go_to_declaration(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, limit, offset, max_tokens) RO
      go_to_symbol(symbol_path*, workspace_root, language, max_tokens) RO
      find_symbol(query, detail_level, limit, offset, symbol_kind_filter, max_tokens) RO
      find_references(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, include_declaration, limit, offset, max_tokens) RO
      find_callers(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, direction, cross_concurrent, max_tokens) RO
      callers(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, direction, cross_concurrent, max_tokens) RO
      type_hierarchy(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, direction, max_tokens) RO
      get_document_highlights(file_path*, language_id, line, column, position_pattern, line_scope_start, line_scope_end, max_tokens) RO
      blast_radius(changed_files*, include_transitive, scope, filter, max_tokens) RO
      detect_changes(workspace_root, scope, range, max_tokens) RO
      get_cross_repo_references(symbol_file*, line, column, position_pattern, line_scope_start, line_scope_end, consumer_roots*, language_id, max_tokens) RO
      continue_answer(cursor*, max_tokens) RO I
      run_build(workspace_dir, workspace_root, path, language, timeout_ms)
      run_tests(workspace_dir, workspace_root, path, language, timeout_ms, test_filter, test_files)
      get_tests_for_file(file_path*) RO
      start_lsp(root_dir*, language_id, connect, scope, ready_timeout_seconds) I
      restart_lsp_server(root_dir, language_id) I
      open_document(file_path*, text) RO
      close_document(file_path*) RO
      add_workspace_folder(path*) I
      remove_workspace_folder(path*) I
      list_workspace_folders() RO
      did_change_watched_files(changes*) D
      export_cache(dest_path*) I
      import_cache(src_path*) D I
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
        "get_code_actions -> suggest_fixes",
        "get_info_on_location -> inspect_symbol",
        "get_document_symbols -> list_symbols",
        "get_workspace_symbols -> find_symbol",
        "get_references -> find_references",
        "call_hierarchy -> find_callers",
        "get_change_impact -> blast_radius",
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
    mcp  [servers]  --auto  --config <file>  --merge-config <file>  --log-level <level>  --toolset <set>  --daemon <when>  --audit-log <path>  --root <dir>  --queue  --http  --port <number>  --listen-addr <ip>  --token-file <path>  --token <secret>  --no-auth  --allow-host <name>  --trust
    whatif  [changes]  --staged  --merge  --onto <revision>  --watch  --root <dir>  --scope <scope>  --timeout <ms>  --format <format>  --json  --sarif  --rank  --queue [address]  --trust  --color <when>
    doctor  [specs]  --json  --color <when>  --trust
    call  <tool>  [arguments]  --json  --trust
    status  --json  --color <when>
    demo  --color <when>
    trust  [dir]  --list  --revoke  --json
    chat  --resume [id]  --model <name>  --mode <mode>  --no-speculation  -p, --print <text>  --queue [address]  --trust  --json
    edit  [directory]  --no-open  --port <number>  --json  --sample  --trust
    config
    bench
    stats  --days <count>  --json
    audit
    clean  [names]  --dry-run  --all  --json
    init  --target <id...>  --path <file>  --toolset <set>  --hooks [mode]  --remove  --non-interactive  --dry-run
    uninstall  --dry-run
    update  --check
    hook  --mode <mode>  --scope <scope>  --deadline <ms>  --approve  --trust
    skills
    daemon
    daemon-status  --json  --color <when>
    daemon-stop  --root <dir>  --root-dir <dir>  --language <language>  --all
    daemon-broker  --root-dir <dir>  --language <language>  --command <words>
    worker  --queue <address>  --repository <repository...>  --prepare <command>  --concurrency <number>  --checkouts <number>  --name <name>  --metrics-port <port>  --metrics-address <ip>
    completions  <shell>"
  `);
});

describe('library', () => {
  test('values of every entry point', () => {
    const values = Object.entries(entryPoints).map(
      ([name, exports]) => `${name}: ${Object.keys(exports).sort().join(' ')}`,
    );
    expect(values.join('\n')).toMatchInlineSnapshot(`
      "index: Failure Log contentOf openForerun parseServerConfig parseServerSpecs silentLog verdictOf
      evaluation: LocalEvaluator MalformedOutcome MalformedRequest decodeRequest encodeRequest evaluateWhole parseOutcome
      overlay: Baseline DiskSource Overlay Workspace applyPatch applyWorkspaceEdit commitOverlay editText moveFile parseUnifiedDiff parseWorkspaceEdit printUnifiedDiff readText renderPatch renderWorkspaceEdit stateDirectory
      queue: QueuedEvaluator
      sandbox: allowedTiers openSandbox readShellCommand
      session: Session Sessions TrustStore WorkspaceRegistry checkOverlay languageId languageOf
      speculation: AcceptedEarly SpeculativeFiles createSpeculation renderOffer"
    `);
  });

  test('no name is exported by two entry points', async () => {
    const entries = (await sourceFiles('src')).filter(({ path }) =>
      /^src\/(?:index|library\/[^/]+)\.ts$/.test(path),
    );
    const names = entries.flatMap(({ text }) => exportedNames(text));
    expect(entries.length).toBe(Object.keys(entryPoints).length);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

/** An entry point has no code: all it exports stands in lists. */
function exportedNames(text: string): readonly string[] {
  return [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)]
    .flatMap(([, list = '']) => list.split(',').map((name) => name.replace(/^\s*(?:type )?/, '').trim()))
    .filter((name) => name !== '');
}

test('failure codes', async () => {
  const codes = (await sourceFiles('src'))
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ text }) => [...text.matchAll(/readonly code = '([^']+)'/g)].map(([, code]) => code));
  expect([...codes].sort().join('\n')).toMatchInlineSnapshot(`
    "agent/bad-call
    agent/bad-rule
    agent/busy
    agent/no-such-text
    agent/not-read
    agent/path-outside
    agent/stale-read
    agent/text-not-unique
    broker/not-started
    broker/too-slow
    cli/bad-usage
    cli/broken-config
    cli/no-answer
    cli/no-broker-order
    cli/no-registry
    cli/no-target
    cli/no-token
    cli/not-for-projects
    cli/nothing-to-judge
    cli/only-submodules
    cli/open-door
    cli/patch-rejected
    cli/report-not-written
    cli/secret-on-command-line
    cli/server-not-found
    cli/setup-conflict
    cli/uneditable-config
    cli/unknown-kind
    cli/unknown-prompt
    cli/unknown-revision
    cli/unknown-target
    cli/unreadable-config
    cli/unreadable-event
    cli/unreadable-patch
    cli/unreadable-token
    code/no-body
    code/overload-out-of-bounds
    code/symbol-not-found
    config/broken-file
    config/invalid-setting
    config/unknown-setting
    editor/cannot-rename
    editor/changed-since
    editor/edit-not-text
    editor/invalid-expression
    editor/invalid-params
    editor/invalid-update
    editor/no-focused-pane
    editor/no-pseudo-terminals
    editor/no-store
    editor/no-such-sides
    editor/no-such-terminal
    editor/no-what-if
    editor/not-open
    editor/not-undoable
    editor/nothing-said
    editor/nothing-staged
    editor/nothing-to-undo
    editor/place-changed
    editor/question-over
    editor/read-only
    editor/slow-expression
    editor/stale-version
    editor/too-many-places
    editor/too-many-requests
    editor/too-many-terminals
    editor/turn-running
    editor/unknown-method
    editor/unknown-plan
    editor/unsaved-files
    evaluation/malformed-outcome
    evaluation/malformed-request
    evaluation/other-workspace
    evaluation/stale
    git/commit-not-found
    git/commit-refused
    git/failed
    git/filter-withheld
    git/merge-failed
    git/mirror-failed
    git/nothing-published
    git/shallow-clone
    git/unrelated-histories
    http/cannot-listen
    lsp/client-gone
    lsp/connect-failed
    lsp/document-state
    lsp/endpoint-silent
    lsp/initialize-failed
    lsp/protocol-garbage
    lsp/request-timeout
    lsp/response-error
    lsp/server-crashed
    lsp/server-not-found
    lsp/server-stopped
    mcp/card-not-built
    merge/sessions-apart
    merge/unknown-side
    model/bad-address
    model/bad-key
    model/context-too-long
    model/malformed-stream
    model/missing-key
    model/no-credit
    model/none-found
    model/overloaded
    model/provider-failed
    model/request-refused
    model/silent
    model/stream-cut
    model/tools-unsupported
    model/unknown-model
    model/unreachable
    overlay/aliased-paths
    overlay/commit-failed
    overlay/commit-interrupted
    overlay/corrupt-journal
    overlay/corrupt-spill
    overlay/cross-device
    overlay/decision-outside-state
    overlay/directory-not-empty
    overlay/file-exists
    overlay/journal-unavailable
    overlay/malformed-edit
    overlay/no-such-file
    overlay/not-a-file-path
    overlay/not-text
    overlay/protected-path
    process/command-not-found
    process/spawn-failed
    queue/blob-missing
    queue/changed-outside
    queue/deadline
    queue/full
    queue/malformed-job
    queue/no-address
    queue/no-secret
    queue/no-worker
    queue/not-installed
    queue/not-signed
    queue/poisoned-job
    queue/preparation-failed
    queue/protocol-mismatch
    queue/quota
    queue/rate-limit
    queue/refused
    queue/repository-not-allowed
    queue/too-large
    queue/unreachable
    queue/version-mismatch
    sandbox/harvest-too-large
    sandbox/mount-refused
    sandbox/not-started
    sandbox/path-leaves-workspace
    sandbox/socket-not-inside
    sandbox/unavailable
    sandbox/unknown-tier
    servers/crashes-repeatedly
    servers/embedded-missing
    servers/invalid-config
    servers/invalid-spec
    servers/no-workspace
    servers/not-confined
    servers/not-installed
    servers/root-folder
    servers/unknown-file-type
    session/conflict
    session/dirty
    session/not-committable
    session/not-evaluable
    session/not-found
    session/owned
    session/server-starting
    session/terminal
    session/too-many
    skills/already-active
    skills/malformed
    skills/unknown
    speculation/conversation-moved
    speculation/nothing-to-accept
    speculation/window-full
    storage/cache-lost
    storage/database-unusable
    storage/no-such-transcript
    storage/transcript-in-use
    storage/transcript-unwritable
    storage/unsafe-directory
    storage/unusable-artifact
    terminal/bad-argument
    terminal/unknown-command
    text/column-out-of-range
    text/edit-out-of-range
    text/line-out-of-range
    text/malformed-context-patch
    text/malformed-patch
    text/offset-out-of-range
    text/overlapping-edits
    text/reversed-edit
    text/splits-surrogate-pair
    tools/conflict
    tools/denied
    tools/git-failed
    tools/invalid-argument
    tools/missing-argument
    tools/no-cache
    tools/not-narrowable
    tools/nothing-to-start
    tools/session-moved
    tools/still-indexing
    tools/symbol-in-use
    tools/undo-conflict
    tools/unexpected
    tools/unknown-cursor
    tools/unknown-tool
    tools/unsaved-text
    tools/unsupported-language
    tools/uses-unknown
    workspace/invalid-path
    workspace/not-a-directory
    workspace/outside
    workspace/root-not-served
    workspace/trust-inside
    workspace/unreadable
    workspace/untrusted"
  `);
});

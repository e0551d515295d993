/**
 * What every tool answers, as schemas of the payload in the form in which it is sent.
 *
 * Invariant: a schema reads the text of `content[0]` itself, so it also says whether a payload is JSON or a
 * sentence. What the contract fixes is strict; what a language server wrote passes with what it added.
 */
import { isAbsolute } from 'node:path';
import { z } from 'zod';

/** The payload of a tool, by the name it is listed under. */
export function payloadOf(tool: string, text: string): unknown {
  const schema = resultSchemas.get(tool);
  if (!schema) throw new Error(`${tool} has no result schema`);
  const read = schema.safeParse(text);
  if (read.success) return read.data;
  throw new Error(`${tool} answered ${text.slice(0, 2000)}\n${z.prettifyError(read.error)}`);
}

/** An item after the payload: a hint, or facts about the answer. */
export function isExtraItem(text: string): boolean {
  return extraItem.safeParse(text).success;
}

function json<T extends z.ZodType>(schema: T): z.ZodType {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

function sentence(pattern: RegExp): z.ZodType {
  return z.string().regex(pattern);
}

const extraItem = z.union([
  sentence(/^Next step: \S/),
  json(z.strictObject({ _meta: z.record(z.string(), z.unknown()) })),
]);

// Numbers say by their least value from which end they count.
const count = z.int().nonnegative();
const fromZero = z.int().nonnegative();
const fromOne = z.int().positive();
const name = z.string().min(1);
const names = z.array(name);
const path = z.string().refine(isAbsolute, 'not an absolute path');
const uri = z.string().regex(/^file:\/\/\//);
const etag = z.string().regex(/^[0-9a-f]{64}$/);
const symbolKind = z.int().min(1).max(26);

const position = z.strictObject({ line: fromZero, character: fromZero });
const range = z.strictObject({ start: position, end: position });
const humanRange = z.strictObject({
  start: z.strictObject({ line: fromOne, character: fromOne }),
  end: z.strictObject({ line: fromOne, character: fromOne }),
});
const location = z.strictObject({ uri, range });
const formattedLocation = z.strictObject({
  file: path,
  line: fromOne,
  column: fromOne,
  end_line: fromOne,
  end_column: fromOne,
});
const diagnostic = z.strictObject({
  range,
  severity: z.int().min(1).max(4),
  code: z.unknown().optional(),
  source: z.string().optional(),
  message: name,
});
const textEdit = z.strictObject({ range, newText: z.string() });
const versionedDocument = z.looseObject({ uri });
const workspaceEdit = z.strictObject({
  changes: z.record(uri, z.array(textEdit)).optional(),
  documentChanges: z
    .array(
      z.union([
        z.looseObject({ textDocument: versionedDocument, edits: z.array(z.looseObject(textEdit.shape)) }),
        z.looseObject({ kind: z.enum(['create', 'delete']), uri }),
        z.looseObject({ kind: z.literal('rename'), oldUri: uri, newUri: uri }),
      ]),
    )
    .optional(),
});
const symbolRef = z.strictObject({ name, file: path, line: fromOne });
const symbolInformation = z.strictObject({
  name,
  kind: symbolKind,
  tags: z.array(z.int()).optional(),
  deprecated: z.boolean().optional(),
  location,
  containerName: z.string().optional(),
});
const documentSymbol = z.strictObject({
  name,
  detail: z.string().optional(),
  kind: symbolKind,
  tags: z.array(z.int()).optional(),
  deprecated: z.boolean().optional(),
  range: humanRange,
  selectionRange: humanRange,
  get children() {
    return z.array(documentSymbol).min(1).optional();
  },
});
const hierarchyItem = z.strictObject({
  name,
  kind: symbolKind,
  tags: z.array(z.int()).optional(),
  detail: z.string().optional(),
  uri,
  range,
  selectionRange: range,
  data: z.unknown().optional(),
});

const finding = z.strictObject({
  line: fromOne,
  col: fromOne,
  message: name,
  severity: z.enum(['error', 'warning', 'info', 'hint']),
  source: z.string().optional(),
  file: path,
  end_line: fromOne,
  end_col: fromOne,
  code: z.union([z.string(), z.number()]).optional(),
});
const session_id = name;
const evaluation = z
  .strictObject({
    session_id,
    errors_introduced: z.array(finding),
    errors_resolved: z.array(finding),
    net_delta: z.int(),
    scope: z.enum(['file', 'workspace']),
    confidence: z.enum(['high', 'partial', 'eventual', 'low']),
    timeout: z.boolean(),
    duration_ms: count,
    verdict: z.enum(['clean', 'broken', 'unknown']),
    errors_delta: z.int(),
    warnings_delta: z.int(),
    baseline_confidence: z.enum(['high', 'partial']),
    server: z.strictObject({ name, version: z.string().optional() }),
    settle: z.strictObject({ mode: z.enum(['pull', 'push', 'request']), quiet_ms: count.optional() }),
    way: z.enum(['buffers', 'mounted', 'copied']),
    confinement: z.union([
      z.strictObject({ kind: z.enum(['not-needed', 'confined', 'elsewhere', 'refused']) }),
      z.strictObject({ kind: z.literal('not-confined'), because: name }),
    ]),
    evaluated_files: z.strictObject({ count, files: names }),
    dependents_not_checked: count.optional(),
    coverage: name.optional(),
    doubts: names,
  })
  .refine(
    ({ errors_introduced, errors_resolved, net_delta }) =>
      errors_introduced.length - errors_resolved.length === net_delta,
    'net_delta is not what was introduced less what was resolved',
  )
  .refine(
    ({ scope, coverage }) => (scope === 'file') === (coverage !== undefined),
    'file scope says what it leaves out, and only file scope does',
  )
  .refine(
    ({ confidence, doubts }) => (confidence === 'high') === (doubts.length === 0),
    'a confidence that is not high has its reasons, and only then',
  );
const sessionSummary = z.strictObject({
  session_id,
  status: z.enum(['created', 'mutated', 'evaluated', 'committed', 'discarded', 'dirty']),
  workspace_root: path,
  language: name,
  edits: count,
  files: names,
  created_at: z.number().positive(),
  resumable: z.boolean(),
  owner_pid: count.optional(),
  client: name.optional(),
  title: name.optional(),
  verdict: z.enum(['clean', 'broken', 'unknown']).optional(),
});

const locations = json(z.array(formattedLocation));
const edits = json(z.array(textEdit));
const notModified = json(z.strictObject({ status: z.literal('not_modified'), etag }));
const folders = z.array(z.strictObject({ uri, name: path }));

const callSite = z.strictObject({ ...symbolRef.shape, caller: name.optional() });
const risk = z.enum(['high', 'medium', 'low']);
const affectedSymbol = z.strictObject({
  ...symbolRef.shape,
  test_callers: z.array(symbolRef),
  non_test_callers: z.array(callSite),
  sync_guarded: z.literal(true).optional(),
});
const impact = z.strictObject({
  changed_symbols: z.array(symbolRef),
  affected_symbols: z.array(affectedSymbol),
  test_files: z.array(path),
  test_functions: z.array(symbolRef),
  non_test_callers: z.array(callSite),
  transitive_callers: z.array(callSite).optional(),
  summary: z.string().regex(/^Found \d+ changed symbols with \d+ test references across \d+ test files\.$/),
  warnings: names,
  indexed: z.boolean(),
});
const use = { file: path, line: fromOne, column: fromOne };

const run = {
  raw: z.string(),
  raw_truncated: z.boolean(),
  command: name,
  timed_out: z.literal(true).optional(),
  timeout_ms: count.optional(),
};
const buildError = z.strictObject({ file: name, line: fromOne, column: count, message: name });
const testFailure = z.strictObject({
  file: z.string(),
  line: count,
  test_name: name,
  message: z.string(),
  location: location.optional(),
});

const skillSupport = z.strictObject({
  name,
  status: z.enum(['supported', 'partial', 'unsupported']),
  missing_required: names.min(1).optional(),
  missing_optional: names.min(1).optional(),
});
const sorted = names.refine(
  (list) => list.every((each, at) => at === 0 || (list[at - 1] ?? '') < each),
  'not sorted',
);
const phase = {
  mode: z.enum(['warn', 'block', 'strict']),
  current_phase: name,
  total_phases: fromOne,
  allowed_tools: names,
  forbidden_tools: names,
};

const mergeError = z.strictObject({
  file: name,
  line: fromOne,
  column: fromOne,
  code: z.union([z.string(), z.number()]).optional(),
  message: z.string(),
});
const mergePair = { sides: z.tuple([name, name]) };
/** What several changes do together. */
const merge = z.strictObject({
  verdict: z.enum(['clean', 'broken', 'unknown']),
  workspace_root: name,
  onto: name,
  sides: z.array(
    z.strictObject({
      name,
      verdict: z.enum(['clean', 'broken', 'unknown']),
      changed_files: z.array(name).optional(),
      errors_introduced: z.array(mergeError).optional(),
      textual_conflicts: z.array(name).optional(),
    }),
  ),
  pairs: z.array(
    z.discriminatedUnion('outcome', [
      z.strictObject({ ...mergePair, outcome: z.literal('clean') }),
      z.strictObject({ ...mergePair, outcome: z.literal('textual'), paths: z.array(name) }),
      z.strictObject({ ...mergePair, outcome: z.literal('unknown'), why: z.array(name) }),
      z.strictObject({
        ...mergePair,
        outcome: z.literal('semantic'),
        conflicts: z.array(
          mergeError.safeExtend({
            changes: z.array(z.strictObject({ file: name, line: fromOne, text: z.string() }).nullable()),
          }),
        ),
      }),
    ]),
  ),
  train: z.array(name),
  left_out: z.array(z.strictObject({ name, why: name })),
});

const sessionResults = {
  preview_edit: json(evaluation),
  create_simulation_session: json(z.strictObject({ session_id, status: z.literal('created') })),
  simulate_edit: json(
    z.strictObject({
      session_id,
      edit_applied: z.literal(true),
      version_after: fromOne,
      baseline_confidence: z.enum(['high', 'partial']).optional(),
    }),
  ),
  evaluate_session: json(evaluation),
  simulate_command: json(
    z.looseObject({ session_id: name, command: name, tier: z.enum(['isolated', 'copied', 'readonly']) }),
  ),
  simulate_chain: json(
    z
      .strictObject({
        session_id,
        steps: z.array(
          z.strictObject({
            step: fromOne,
            net_delta: z.int(),
            errors_introduced: z.array(finding),
            verdict: z.enum(['clean', 'broken', 'unknown']),
            scope: z.enum(['file', 'workspace']),
            confidence: z.enum(['high', 'partial', 'eventual', 'low']),
            baseline_confidence: z.enum(['high', 'partial']),
            timeout: z.boolean(),
            doubts: names,
          }),
        ),
        safe_to_apply_through_step: count,
        cumulative_delta: z.int(),
        safe_prefix_through_step: count,
      })
      .refine(
        ({ steps, cumulative_delta }) => steps.at(-1)?.net_delta === cumulative_delta,
        'cumulative_delta is not the delta of the last step',
      ),
  ),
  commit_session: json(
    z.strictObject({
      session_id,
      files_written: fromOne.optional(),
      patch: z.union([workspaceEdit, z.record(uri, z.string()), z.string()]),
      warnings: names.min(1).optional(),
    }),
  ),
  discard_session: json(z.strictObject({ session_id, status: z.literal('discarded') })),
  destroy_session: json(
    z.union([
      z.strictObject({ session_id, status: z.literal('destroyed') }),
      z.strictObject({ session_id, status: z.literal('already_destroyed'), note: name }),
    ]),
  ),
  preview_merge: json(merge),
  compose_sessions: json(merge.safeExtend({ session_id: session_id.optional() })),
  compare_sessions: json(z.strictObject({ ranked: z.array(evaluation.safeExtend({ rank: fromOne })) })),
  list_sessions: json(z.strictObject({ sessions: z.array(sessionSummary) })),
  resume_session: json(
    sessionSummary.pick({ session_id: true, status: true, workspace_root: true, language: true }),
  ),
};

const editingResults = {
  safe_apply_edit: json(evaluation.safeExtend({ applied: z.boolean() })),
  apply_edit: sentence(/^Edit applied successfully$/),
  rename_symbol: z.union([
    sentence(/^Renamed to "[^"]+" across \d+ location\(s\) in \d+ file\(s\): \S/),
    sentence(/^No rename edits produced/),
    json(
      z.strictObject({
        workspace_edit: workspaceEdit,
        preview: z.strictObject({ files: fromOne, locations: fromOne, file_names: names, note: name }),
      }),
    ),
  ]),
  prepare_rename: json(
    z.union([
      z.null(),
      z.looseObject({ range, placeholder: name }),
      range,
      z.strictObject({ defaultBehavior: z.boolean() }),
    ]),
  ),
  format_document: edits,
  format_range: edits,
  replace_symbol_body: sentence(/^Replaced body of "[^"]+" in \S/),
  insert_after_symbol: sentence(/^Inserted code after "[^"]+" in \S/),
  insert_before_symbol: sentence(/^Inserted code before "[^"]+" in \S/),
  safe_delete_symbol: sentence(/^Deleted symbol "[^"]+" from \S/),
  // Whatever the server returns for its own command.
  execute_command: json(z.unknown()),
  export_cache: sentence(/^Cache exported to \/.+ \(\d+ entries\)$/),
  import_cache: sentence(/^Cache imported from \/.+ \(\d+ entries\)$/),
  undo_last_commit: sentence(/^(Undid the last commit: \d+ file\(s\) restored: \S|No commit to undo$)/),
};

const symbolResults = {
  get_diagnostics: z.union([
    json(z.record(uri, z.array(diagnostic))),
    json(
      z.strictObject({
        symbols: z.array(
          z.strictObject({ name, kind: name, line: fromOne, diagnostics: z.array(diagnostic).min(1) }),
        ),
        ungrouped: z.array(diagnostic),
      }),
    ),
  ]),
  suggest_fixes: json(
    z.array(
      z.looseObject({
        title: name,
        kind: z.string().optional(),
        diagnostics: z.array(z.looseObject({ range, message: z.string() })).optional(),
        isPreferred: z.boolean().optional(),
        disabled: z.looseObject({ reason: z.string() }).optional(),
        edit: z.looseObject(workspaceEdit.shape).optional(),
        command: z
          .looseObject({ title: z.string(), command: name, arguments: z.array(z.unknown()).optional() })
          .optional(),
      }),
    ),
  ),
  inspect_symbol: z.string(),
  explore_symbol: json(
    z
      .strictObject({
        type_info: z.string(),
        source: z
          .strictObject({
            symbol_name: name,
            file: path,
            start_line: fromOne,
            end_line: fromOne,
            source: name,
          })
          .optional(),
        callers: z.array(symbolRef).max(10),
        callers_count: count,
        references: z.strictObject({ count, top_files: z.array(path).max(5) }),
        test_callers_count: count,
      })
      .refine(
        ({ callers, callers_count }) => callers.length === Math.min(10, callers_count),
        'callers_count does not count the callers',
      ),
  ),
  get_editing_context: z.union([
    notModified,
    json(
      z.strictObject({
        file: path,
        language: name,
        symbols: z.array(
          z.strictObject({
            name,
            kind: name,
            signature: name.optional(),
            start_line: fromOne,
            end_line: fromOne,
          }),
        ),
        callers: z.record(
          z.string(),
          z.strictObject({ test_callers: z.array(symbolRef), non_test_callers: z.array(symbolRef) }),
        ),
        callees: z.record(z.string(), z.array(symbolRef)),
        imports: names,
        etag: etag.optional(),
      }),
    ),
  ]),
  list_symbols: z.union([
    notModified,
    json(z.array(documentSymbol)),
    sentence(/^(( {2})*\S.* \[[A-Z]\w+\] :[1-9]\d*(\n|$))*$/),
  ]),
  get_symbol_source: z.union([
    notModified,
    json(
      z.strictObject({
        symbol_name: name,
        symbol_kind: name,
        start_line: fromOne,
        end_line: fromOne,
        source: name,
        etag,
      }),
    ),
  ]),
  get_symbol_documentation: json(
    z.discriminatedUnion('source', [
      z.strictObject({
        symbol: name,
        language: name,
        source: z.enum(['toolchain', 'hover']),
        doc: name,
        signature: z.string(),
      }),
      z.strictObject({
        symbol: name,
        language: name,
        source: z.literal('error'),
        doc: z.literal(''),
        signature: z.literal(''),
        error: name,
      }),
    ]),
  ),
  get_completions: json(
    z.strictObject({
      isIncomplete: z.boolean(),
      items: z.array(z.looseObject({ label: name, kind: z.int().optional(), detail: z.string().optional() })),
    }),
  ),
  get_signature_help: json(
    z.union([
      z.null(),
      z.looseObject({
        signatures: z.array(
          z.looseObject({ label: name, parameters: z.array(z.looseObject({})).optional() }),
        ),
      }),
    ]),
  ),
  get_inlay_hints: json(
    z.array(
      z.looseObject({
        position,
        label: z.union([z.string(), z.array(z.looseObject({ value: z.string() }))]),
        kind: z.union([z.literal(1), z.literal(2)]).optional(),
        paddingLeft: z.boolean().optional(),
        paddingRight: z.boolean().optional(),
      }),
    ),
  ),
  get_semantic_tokens: z.union([
    sentence(/^No semantic tokens found/),
    json(
      z
        .array(
          z.strictObject({
            line: fromOne,
            character: fromOne,
            length: fromOne,
            tokenType: name,
            modifiers: names,
          }),
        )
        .min(1),
    ),
  ]),
};

const navigationResults = {
  go_to_definition: locations,
  go_to_type_definition: locations,
  go_to_implementation: locations,
  go_to_declaration: locations,
  go_to_symbol: z.union([locations, sentence(/^no symbols found for symbol_path: \S/)]),
  find_symbol: z.union([
    json(z.array(symbolInformation)),
    json(
      z
        .strictObject({
          total: count,
          symbols: z.array(symbolInformation),
          enriched: z.array(symbolInformation.extend({ hover: name.optional() })).optional(),
          pagination: z.strictObject({ offset: count, limit: fromOne, more: z.boolean() }).optional(),
          indexed: z.boolean(),
        })
        .refine(
          ({ enriched, pagination }) => (enriched === undefined) === (pagination === undefined),
          'enriched and pagination come together or not at all',
        ),
    ),
  ]),
  find_references: locations,
  find_callers: z.union([
    sentence(/^No call hierarchy item found at .+:\d+:\d+$/),
    json(
      z.strictObject({
        items: z.array(hierarchyItem).min(1),
        incoming: z.array(z.strictObject({ from: hierarchyItem, fromRanges: z.array(range) })).optional(),
        outgoing: z.array(z.strictObject({ to: hierarchyItem, fromRanges: z.array(range) })).optional(),
        concurrent_callers: z
          .array(z.strictObject({ caller: hierarchyItem, pattern: name, file: path, line: fromOne }))
          .optional(),
      }),
    ),
  ]),
  type_hierarchy: z.union([
    sentence(/^No type hierarchy item found at .+:\d+:\d+$/),
    json(
      z.strictObject({
        items: z.array(hierarchyItem).min(1),
        supertypes: z.array(hierarchyItem).optional(),
        subtypes: z.array(hierarchyItem).optional(),
      }),
    ),
  ]),
  get_document_highlights: json(z.array(z.strictObject({ range, kind: z.int().min(1).max(3).optional() }))),
};

const impactResults = {
  blast_radius: json(impact),
  detect_changes: json(
    z.union([
      z.strictObject({
        changed_files: z.array(path).length(0),
        affected_symbols: z.array(affectedSymbol).length(0),
        summary: z.enum(['No changed files detected.', 'No recognized source files among changed files.']),
      }),
      impact.extend({
        changed_symbols: z.array(symbolRef.extend({ risk })),
        affected_symbols: z.array(affectedSymbol.extend({ risk })),
        changed_files: z.array(path).min(1),
        scope: z.enum(['unstaged', 'staged', 'committed']),
      }),
    ]),
  ),
  get_cross_repo_references: json(
    z.strictObject({
      symbol: z.string(),
      references: z.array(z.strictObject({ ...use, repo: z.union([z.literal('primary'), path]) })),
      summary: z.string().regex(/^Found \d+ references across \d+ repos\.$/),
      library_references: z.array(z.strictObject(use)),
      consumer_references: z.record(path, z.array(z.strictObject(use))),
      warnings: names,
      indexed: z.boolean(),
    }),
  ),
};

const buildResults = {
  run_build: json(z.strictObject({ success: z.boolean(), errors: z.array(buildError), ...run })),
  run_tests: json(
    z.strictObject({
      passed: z.boolean(),
      tests_run: z.int().optional(),
      failures: z.array(testFailure),
      ...run,
    }),
  ),
  get_tests_for_file: json(z.strictObject({ source_file: path, test_files: z.array(path) })),
};

const lifecycleResults = {
  start_lsp: sentence(/^(LSP server started successfully|Connected to existing language server at \S)/),
  restart_lsp_server: sentence(/^LSP server restarted successfully/),
  open_document: sentence(/^Document opened: \S/),
  close_document: sentence(/^Document closed: \S/),
  add_workspace_folder: json(z.strictObject({ added: path, workspace_folders: folders })),
  remove_workspace_folder: json(z.strictObject({ removed: path, workspace_folders: folders })),
  list_workspace_folders: json(z.strictObject({ workspace_folders: folders })),
  did_change_watched_files: sentence(/^File change notifications sent$/),
  detect_lsp_servers: json(
    z.strictObject({
      workspace_dir: path,
      workspace_languages: names,
      installed_servers: z.array(
        z.strictObject({ language: name, server: name, path, config_entry: z.string().includes(':') }),
      ),
      suggested_config: names,
      not_installed: z.array(z.string().regex(/^\S+ \(.+\)$/)).optional(),
    }),
  ),
  /** The rest of the answer of list_symbols. */
  continue_answer: json(z.array(documentSymbol)),
  set_log_level: sentence(/^Log level set to "[a-z]+"$/),
  get_server_capabilities: json(
    z.strictObject({
      server_name: name.optional(),
      server_version: name.optional(),
      supported_tools: sorted,
      unsupported_tools: sorted,
      skills: z.array(skillSupport),
      capabilities: z.record(z.string(), z.unknown()),
    }),
  ),
};

const phaseResults = {
  activate_skill: json(z.strictObject({ status: z.literal('activated'), skill: name, ...phase })),
  deactivate_skill: json(z.strictObject({ status: z.literal('deactivated') })),
  get_skill_phase: json(
    z.discriminatedUnion('active', [
      z.strictObject({ active: z.literal(false), available_skills: names }),
      z.strictObject({
        active: z.literal(true),
        skill_name: name,
        phase_index: count,
        ...phase,
        tool_history: names,
      }),
    ]),
  ),
};

/** By every name a tool is listed under. */
export const resultSchemas: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>(
  Object.entries({
    ...sessionResults,
    ...editingResults,
    ...symbolResults,
    ...navigationResults,
    ...impactResults,
    ...buildResults,
    ...lifecycleResults,
    ...phaseResults,
    safe_edit: editingResults.safe_apply_edit,
    explore: symbolResults.explore_symbol,
    callers: navigationResults.find_callers,
  }),
);

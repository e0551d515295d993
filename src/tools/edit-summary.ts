/**
 * A short description of a change for the audit record.
 *
 * Invariant: of a text, only its preview is kept.
 */
type EditMode =
  | 'text-match'
  | 'workspace-edit'
  | 'rename'
  | 'commit'
  | 'symbol-edit'
  | 'safe-edit'
  | 'command'
  | 'format';

export interface EditSummary {
  readonly mode: EditMode;
  readonly file_path?: string;
  readonly old_text_preview?: string;
  readonly new_text_preview?: string;
  readonly old_name?: string;
  readonly new_name?: string;
  readonly target?: string;
  readonly apply?: boolean;
}

/** Undefined for a tool that changes nothing. */
export function editSummary(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  previews: 'kept' | 'left-out',
): EditSummary | undefined {
  const mode = modeOf(tool, input);
  if (mode === undefined) return undefined;
  const { file_path, new_name, target, apply } = input;
  const preview = previews === 'kept' ? previewsOf(input) : {};
  const oldName = input.symbol_name ?? input.symbol_path;
  const aim = target ?? input.command ?? oldName;
  return {
    mode,
    ...(typeof file_path === 'string' && { file_path }),
    ...preview,
    ...(mode === 'rename' && typeof oldName === 'string' && { old_name: oldName }),
    ...(typeof new_name === 'string' && { new_name }),
    ...(typeof aim === 'string' && { target: aim }),
    ...(typeof apply === 'boolean' && { apply }),
  };
}

const modes: Readonly<Record<string, EditMode>> = {
  rename_symbol: 'rename',
  commit_session: 'commit',
  undo_last_commit: 'commit',
  replace_symbol_body: 'symbol-edit',
  insert_after_symbol: 'symbol-edit',
  insert_before_symbol: 'symbol-edit',
  safe_delete_symbol: 'symbol-edit',
  safe_apply_edit: 'safe-edit',
  preview_edit: 'safe-edit',
  simulate_edit: 'safe-edit',
  execute_command: 'command',
  run_build: 'command',
  run_tests: 'command',
  format_document: 'format',
  format_range: 'format',
};

function modeOf(tool: string, input: Readonly<Record<string, unknown>>): EditMode | undefined {
  if (tool === 'apply_edit') return typeof input.old_text === 'string' ? 'text-match' : 'workspace-edit';
  return modes[tool];
}

function previewsOf(
  input: Readonly<Record<string, unknown>>,
): Pick<EditSummary, 'old_text_preview' | 'new_text_preview'> {
  const { old_text } = input;
  const newText = input.new_text ?? input.new_body ?? input.code;
  return {
    ...(typeof old_text === 'string' && { old_text_preview: previewOf(old_text) }),
    ...(typeof newText === 'string' && { new_text_preview: previewOf(newText) }),
  };
}

const longestPreview = 200;

function previewOf(text: string): string {
  return text.length <= longestPreview ? text : `${text.slice(0, longestPreview - 3)}...`;
}

/**
 * All tools, in the order in which they are listed.
 *
 * Invariant: a name, alias or listed alias occurs once.
 */

import { definedTools } from './defined-tools.ts';
import { getServerCapabilities } from './lifecycle/get-server-capabilities.ts';
import type { Tool } from './tool.ts';

/**
 * Clients show the list in this order, and many read only its beginning. Other tools follow in alphabetical order.
 */
const listingOrder: readonly string[] = [
  'preview_edit',
  'create_simulation_session',
  'simulate_edit',
  'evaluate_session',
  'simulate_chain',
  'simulate_command',
  'commit_session',
  'discard_session',
  'destroy_session',
  'compare_sessions',
  'compose_sessions',
  'preview_merge',
  'list_sessions',
  'resume_session',
  'safe_apply_edit',
  'apply_edit',
  'rename_symbol',
  'prepare_rename',
  'format_document',
  'format_range',
  'replace_symbol_body',
  'insert_after_symbol',
  'insert_before_symbol',
  'safe_delete_symbol',
  'execute_command',
  'undo_last_commit',
  'get_diagnostics',
  'suggest_fixes',
  'inspect_symbol',
  'explore_symbol',
  'get_editing_context',
  'list_symbols',
  'get_symbol_source',
  'get_symbol_documentation',
  'get_completions',
  'get_signature_help',
  'get_inlay_hints',
  'get_semantic_tokens',
  'go_to_definition',
  'go_to_type_definition',
  'go_to_implementation',
  'go_to_declaration',
  'go_to_symbol',
  'find_symbol',
  'find_references',
  'find_callers',
  'type_hierarchy',
  'get_document_highlights',
  'blast_radius',
  'detect_changes',
  'get_cross_repo_references',
  'continue_answer',
  'run_build',
  'run_tests',
  'get_tests_for_file',
  'start_lsp',
  'restart_lsp_server',
  'open_document',
  'close_document',
  'add_workspace_folder',
  'remove_workspace_folder',
  'list_workspace_folders',
  'did_change_watched_files',
  'export_cache',
  'import_cache',
  'detect_lsp_servers',
  'set_log_level',
];

const workingTools: readonly Tool[] = [...definedTools].sort(
  (a, b) => rankOf(a) - rankOf(b) || a.name.localeCompare(b.name),
);

export const catalogue: readonly Tool[] = [...workingTools, getServerCapabilities(workingTools)];

function rankOf({ name }: Tool): number {
  const rank = listingOrder.indexOf(name);
  return rank === -1 ? listingOrder.length : rank;
}

/**
 * The capabilities a tool needs beyond documents and diagnostics, which every server has.
 *
 * Invariant: an unlisted tool works with every server; a listed one only with a server that has all its capabilities.
 */
import type { Tool } from '../tool.ts';

export interface ToolSupport {
  readonly supported: readonly string[];
  readonly unsupported: readonly string[];
}

/** Sorts tools and their listed aliases by the capabilities of a server. */
export function toolSupport(tools: readonly Tool[], has: (capability: string) => boolean): ToolSupport {
  const supported: string[] = [];
  const unsupported: string[] = [];
  for (const { name, listedAliases } of tools) {
    const isSupported = (requirements[name] ?? []).every(has);
    (isSupported ? supported : unsupported).push(name, ...listedAliases.map((alias) => alias.name));
  }
  return { supported: supported.sort(), unsupported: unsupported.sort() };
}

/** The capabilities, each with the tools that need it. */
export const requirements: Readonly<Record<string, readonly string[]>> = {
  inspect_symbol: ['hoverProvider'],
  explore_symbol: ['hoverProvider'],
  get_completions: ['completionProvider'],
  get_signature_help: ['signatureHelpProvider'],
  go_to_definition: ['definitionProvider'],
  go_to_type_definition: ['typeDefinitionProvider'],
  go_to_implementation: ['implementationProvider'],
  go_to_declaration: ['declarationProvider'],
  go_to_symbol: ['workspaceSymbolProvider'],
  find_symbol: ['workspaceSymbolProvider'],
  find_references: ['referencesProvider'],
  find_callers: ['callHierarchyProvider'],
  type_hierarchy: ['typeHierarchyProvider'],
  get_document_highlights: ['documentHighlightProvider'],
  list_symbols: ['documentSymbolProvider'],
  get_symbol_source: ['documentSymbolProvider'],
  get_editing_context: ['documentSymbolProvider'],
  get_inlay_hints: ['inlayHintProvider'],
  get_semantic_tokens: ['semanticTokensProvider'],
  suggest_fixes: ['codeActionProvider'],
  rename_symbol: ['renameProvider'],
  prepare_rename: ['renameProvider'],
  format_document: ['documentFormattingProvider'],
  format_range: ['documentRangeFormattingProvider'],
  replace_symbol_body: ['documentSymbolProvider'],
  insert_after_symbol: ['documentSymbolProvider'],
  insert_before_symbol: ['documentSymbolProvider'],
  safe_delete_symbol: ['documentSymbolProvider', 'referencesProvider'],
  blast_radius: ['documentSymbolProvider', 'referencesProvider'],
  detect_changes: ['documentSymbolProvider', 'referencesProvider'],
  get_cross_repo_references: ['referencesProvider'],
};

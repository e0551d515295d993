/** Every tool that a file of this folder defines. Written by `npm run docs`; do not edit. */
import { getTestsForFile } from './build/get-tests-for-file.ts';
import { runBuild } from './build/run-build.ts';
import { runTests } from './build/run-tests.ts';
import { exportCache } from './cache/export-cache.ts';
import { importCache } from './cache/import-cache.ts';
import { getDiagnostics } from './diagnostics/get-diagnostics.ts';
import { applyEdit } from './editing/apply-edit.ts';
import { executeCommand } from './editing/execute-command.ts';
import { formatDocument } from './editing/format-document.ts';
import { formatRange } from './editing/format-range.ts';
import { insertAfterSymbol, insertBeforeSymbol } from './editing/insert-at-symbol.ts';
import { prepareRename } from './editing/prepare-rename.ts';
import { renameSymbol } from './editing/rename-symbol.ts';
import { replaceSymbolBody } from './editing/replace-symbol-body.ts';
import { safeApplyEdit } from './editing/safe-apply-edit.ts';
import { safeDeleteSymbol } from './editing/safe-delete-symbol.ts';
import { undoLastCommit } from './editing/undo-last-commit.ts';
import { blastRadius } from './impact/blast-radius.ts';
import { detectChanges } from './impact/detect-changes.ts';
import { getCrossRepoReferences } from './impact/get-cross-repo-references.ts';
import { closeDocument } from './lifecycle/close-document.ts';
import { continueAnswer } from './lifecycle/continue-answer.ts';
import { detectLspServers } from './lifecycle/detect-lsp-servers.ts';
import { openDocument } from './lifecycle/open-document.ts';
import { restartLspServer } from './lifecycle/restart-lsp-server.ts';
import { setLogLevel } from './lifecycle/set-log-level.ts';
import { startLsp } from './lifecycle/start-lsp.ts';
import { composeSessions } from './merge/compose-sessions.ts';
import { previewMerge } from './merge/preview-merge.ts';
import { findCallers } from './navigation/find-callers.ts';
import { findReferences } from './navigation/find-references.ts';
import { findSymbol } from './navigation/find-symbol.ts';
import { getDocumentHighlights } from './navigation/get-document-highlights.ts';
import {
  goToDeclaration,
  goToDefinition,
  goToImplementation,
  goToTypeDefinition,
} from './navigation/go-to.ts';
import { goToSymbol } from './navigation/go-to-symbol.ts';
import { typeHierarchy } from './navigation/type-hierarchy.ts';
import { commitSession } from './session/commit-session.ts';
import { compareSessions } from './session/compare-sessions.ts';
import { createSimulationSession } from './session/create-simulation-session.ts';
import { destroySession } from './session/destroy-session.ts';
import { discardSession } from './session/discard-session.ts';
import { evaluateSession } from './session/evaluate-session.ts';
import { listSessions } from './session/list-sessions.ts';
import { previewEdit } from './session/preview-edit.ts';
import { resumeSession } from './session/resume-session.ts';
import { simulateChain } from './session/simulate-chain.ts';
import { simulateEdit } from './session/simulate-edit.ts';
import { simulateCommand } from './simulate/simulate-command.ts';
import { exploreSymbol } from './symbols/explore-symbol.ts';
import { getCompletions } from './symbols/get-completions.ts';
import { getEditingContext } from './symbols/get-editing-context.ts';
import { getInlayHints } from './symbols/get-inlay-hints.ts';
import { getSemanticTokens } from './symbols/get-semantic-tokens.ts';
import { getSignatureHelp } from './symbols/get-signature-help.ts';
import { getSymbolDocumentation } from './symbols/get-symbol-documentation.ts';
import { getSymbolSource } from './symbols/get-symbol-source.ts';
import { inspectSymbol } from './symbols/inspect-symbol.ts';
import { listSymbols } from './symbols/list-symbols.ts';
import { suggestFixes } from './symbols/suggest-fixes.ts';
import type { Tool } from './tool.ts';
import { addWorkspaceFolder } from './workspace/add-workspace-folder.ts';
import { didChangeWatchedFiles } from './workspace/did-change-watched-files.ts';
import { listWorkspaceFolders } from './workspace/list-workspace-folders.ts';
import { removeWorkspaceFolder } from './workspace/remove-workspace-folder.ts';

export const definedTools: readonly Tool[] = [
  getTestsForFile,
  runBuild,
  runTests,
  exportCache,
  importCache,
  getDiagnostics,
  applyEdit,
  executeCommand,
  formatDocument,
  formatRange,
  insertAfterSymbol,
  insertBeforeSymbol,
  prepareRename,
  renameSymbol,
  replaceSymbolBody,
  safeApplyEdit,
  safeDeleteSymbol,
  undoLastCommit,
  blastRadius,
  detectChanges,
  getCrossRepoReferences,
  closeDocument,
  continueAnswer,
  detectLspServers,
  openDocument,
  restartLspServer,
  setLogLevel,
  startLsp,
  composeSessions,
  previewMerge,
  findCallers,
  findReferences,
  findSymbol,
  getDocumentHighlights,
  goToSymbol,
  goToDeclaration,
  goToDefinition,
  goToImplementation,
  goToTypeDefinition,
  typeHierarchy,
  commitSession,
  compareSessions,
  createSimulationSession,
  destroySession,
  discardSession,
  evaluateSession,
  listSessions,
  previewEdit,
  resumeSession,
  simulateChain,
  simulateEdit,
  simulateCommand,
  exploreSymbol,
  getCompletions,
  getEditingContext,
  getInlayHints,
  getSemanticTokens,
  getSignatureHelp,
  getSymbolDocumentation,
  getSymbolSource,
  inspectSymbol,
  listSymbols,
  suggestFixes,
  addWorkspaceFolder,
  didChangeWatchedFiles,
  listWorkspaceFolders,
  removeWorkspaceFolder,
];

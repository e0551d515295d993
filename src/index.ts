/**
 * The library. `openForerun` opens a workspace; the parts behind it are under `forerun/overlay`, `forerun/session`,
 * `forerun/sandbox` and `forerun/speculation` too.
 */
export { Failure } from './base/failure.ts';
export { Log, type LogRecord, type LogSink, silentLog } from './base/log.ts';
export { allowedTiers } from './config/allowed-tiers.ts';
export type { Confidence, Evaluation, Finding } from './evaluation/evaluation.ts';
export { checkOverlay, type OverlayCheck } from './evaluation/overlay-check.ts';
export type { RankedSession } from './evaluation/ranking.ts';
export { type Verdict, verdictOf } from './evaluation/verdict.ts';
export type { PatchCheck } from './host/check/patch-check.ts';
export {
  type CheckOptions,
  type EmbeddedForerun,
  type OpenForerunOptions,
  openForerun,
} from './host/open-forerun.ts';
export { WorkspaceRegistry, type WorkspaceRegistryOptions } from './live/workspace-registry.ts';
export type { WorkspaceView } from './live/workspace-view.ts';
export type { Diagnostic, Severity } from './lsp/diagnostic.ts';
export { type CommitOutcome, commitOverlay } from './overlay/commit/commit.ts';
export type { FileChange } from './overlay/file-change.ts';
export { Overlay } from './overlay/overlay.ts';
export { applyPatch, renderPatch } from './overlay/patch.ts';
export { applyWorkspaceEdit, parseWorkspaceEdit, renderWorkspaceEdit } from './overlay/workspace-edit.ts';
export { openSandbox, type Sandbox, type Tier } from './sandbox/sandbox.ts';
export { type LanguageId, languageId, languageOf } from './servers/language.ts';
export type { Scope } from './servers/projection-mode.ts';
export { parseServerConfig, parseServerSpecs } from './servers/server-config.ts';
export type { ServerDefinition } from './servers/server-definition.ts';
export type { ChainResult } from './session/chain-result.ts';
export type { CommitOptions, CommitResult } from './session/commit-result.ts';
export { type EditOutcome, Session } from './session/session.ts';
export type { SessionState } from './session/session-state.ts';
export { type SessionSummary, Sessions, type SessionsOptions } from './session/sessions.ts';
export type { BoundaryRule, ShellBoundary } from './shell/boundary.ts';
export { readShellCommand, type ShellReading } from './shell/shell-reading.ts';
export { AcceptedEarly, type Boundary } from './speculation/engine/boundary.ts';
export { type OfferVerdict, renderOffer } from './speculation/engine/offer.ts';
export {
  createSpeculation,
  type Speculation,
  type SpeculationOptions,
} from './speculation/engine/speculation.ts';
export type {
  Landing,
  Meter,
  Prediction,
  Run,
  SpeculationPorts,
  SpendingGate,
} from './speculation/engine/speculation-ports.ts';
export type {
  AbortReason,
  Acceptance,
  SpeculationEvent,
  SpeculationOutcome,
  SpeculationState,
} from './speculation/engine/speculation-state.ts';
export { SpeculativeFiles } from './speculation/speculative-files.ts';
export { stateDirectory } from './storage/user-directories.ts';
export type { Position } from './text/position.ts';
export type { Range } from './text/range.ts';
export type { TextEdit } from './text/text-edit.ts';
export { type FilePatch, parseUnifiedDiff, printUnifiedDiff } from './text/unified-diff.ts';
export { catalogue } from './tools/catalogue.ts';
export type { Tool } from './tools/tool.ts';
export { contentOf, type ToolResult } from './tools/tool-result.ts';
export { Baseline } from './workspace/baseline.ts';
export { DiskSource } from './workspace/disk-source.ts';
export type { FileContent } from './workspace/file-content.ts';
export type { FileSource } from './workspace/file-source.ts';
export { type Trust, type TrustSource, TrustStore } from './workspace/trust.ts';
export { Workspace } from './workspace/workspace.ts';
export type { WorkspacePath } from './workspace/workspace-path.ts';

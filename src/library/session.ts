/** `forerun/session`: the parts behind `openForerun`, for programs that open several workspaces themselves. */
export { checkOverlay, type OverlayCheck } from '../evaluation/local-evaluator.ts';
export type { RankedSession } from '../evaluation/ranking.ts';
export { WorkspaceRegistry, type WorkspaceRegistryOptions } from '../live/workspace-registry.ts';
export type { WorkspaceView } from '../live/workspace-view.ts';
export { type LanguageId, languageId, languageOf } from '../servers/language.ts';
export type { ChainResult } from '../session/chain-result.ts';
export type { CommitOptions, CommitResult } from '../session/commit-result.ts';
export { type EditOutcome, Session } from '../session/session.ts';
export type { SessionState } from '../session/session-state.ts';
export { type SessionSummary, Sessions, type SessionsOptions } from '../session/sessions.ts';
export { type Trust, type TrustSource, TrustStore } from '../workspace/trust.ts';

/**
 * Every tool there is, in the order in which they are listed.
 *
 * Invariant: a name, an alias or a listed alias occurs once.
 */
import { getDiagnostics } from './diagnostics/get-diagnostics.ts';
import { applyEdit } from './editing/apply-edit.ts';
import { safeApplyEdit } from './editing/safe-apply-edit.ts';
import { closeDocument } from './lifecycle/close-document.ts';
import { detectLspServers } from './lifecycle/detect-lsp-servers.ts';
import { getServerCapabilities } from './lifecycle/get-server-capabilities.ts';
import { openDocument } from './lifecycle/open-document.ts';
import { restartLspServer } from './lifecycle/restart-lsp-server.ts';
import { setLogLevel } from './lifecycle/set-log-level.ts';
import { startLsp } from './lifecycle/start-lsp.ts';
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
import type { Tool } from './tool.ts';

const workingTools: readonly Tool[] = [
  previewEdit,
  createSimulationSession,
  simulateEdit,
  evaluateSession,
  simulateChain,
  commitSession,
  discardSession,
  destroySession,
  compareSessions,
  listSessions,
  resumeSession,
  safeApplyEdit,
  applyEdit,
  getDiagnostics,
  startLsp,
  restartLspServer,
  openDocument,
  closeDocument,
  detectLspServers,
  setLogLevel,
];

export const catalogue: readonly Tool[] = [...workingTools, getServerCapabilities(workingTools)];

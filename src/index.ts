/**
 * The library: `openForerun`, and the types of what it takes, what it answers and how it fails. The parts behind it are
 * under `forerun/evaluation`, `forerun/overlay`, `forerun/sandbox`, `forerun/session` and `forerun/speculation`.
 */
export { Failure } from './base/failure.ts';
export { Log, type LogRecord, type LogSink, silentLog } from './base/log.ts';
export type { Confidence, Evaluation, Finding } from './evaluation/evaluation.ts';
export { type Verdict, verdictOf } from './evaluation/evaluation.ts';
export type { PatchCheck } from './host/check/patch-check.ts';
export {
  type CheckOptions,
  type EmbeddedForerun,
  type OpenForerunOptions,
  openForerun,
} from './host/open-forerun.ts';
export type { Diagnostic, Severity } from './lsp/diagnostic.ts';
export type { Scope } from './servers/projection.ts';
export { parseServerConfig, parseServerSpecs } from './servers/server-config.ts';
export type { ServerDefinition } from './servers/server-definition.ts';
export { contentOf, type ToolResult } from './tools/tool-result.ts';

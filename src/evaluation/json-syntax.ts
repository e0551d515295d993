/**
 * Syntax errors that a change introduces into JSON files for which no server is available.
 *
 * Invariant: an error is reported only if the text before the change, if any, had none. Comments and trailing commas
 * are errors only in files whose reader is known to reject them.
 */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { FileChange } from '../overlay/overlay.ts';
import { extensionOf } from '../servers/language.ts';
import { LineIndex } from '../text/position.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Evaluation, Finding } from './evaluation.ts';

/** The name under which the findings are reported in place of a server. */
const checkerName = 'json-syntax';

export function jsonSyntaxFindings(changes: readonly FileChange[]): readonly Finding[] {
  return changes.flatMap(({ path, from, before, after }) => {
    if (!isJson(path) || after?.kind !== 'text') return [];
    const error = firstError(path, after);
    const wasWrong = before !== undefined && firstError(from ?? path, before) !== undefined;
    return error === undefined || wasWrong ? [] : [findingOf(path, after.text, error)];
  });
}

/**
 * The findings as an Evaluation of their own; absent if there are none, since a text that parses proves nothing else.
 */
export function jsonSyntaxEvaluation(
  changes: readonly FileChange[],
  scope: Evaluation['scope'],
): Evaluation | undefined {
  const startedAt = performance.now();
  const introduced = jsonSyntaxFindings(changes);
  if (introduced.length === 0) return undefined;
  return {
    scope,
    introduced,
    resolved: [],
    netDelta: introduced.length,
    errorsDelta: introduced.length,
    warningsDelta: 0,
    confidence: 'high',
    baselineConfidence: 'high',
    timedOut: false,
    durationMs: performance.now() - startedAt,
    server: { name: checkerName },
    settle: { mode: 'request' },
    way: 'buffers',
    confinement: { kind: 'not-needed' },
    evaluatedFiles: introduced.map(({ path }) => path),
    doubts: [],
  };
}

/** By extension only: a file such as `.eslintrc` may be YAML as well. */
function isJson(path: WorkspacePath): boolean {
  return ['json', 'jsonc'].includes(extensionOf(path));
}

function firstError(path: WorkspacePath, content: FileContent): ParseError | undefined {
  if (content.kind !== 'text') return undefined;
  const isStrict = strictNames.test(path);
  const errors: ParseError[] = [];
  parse(content.text, errors, {
    disallowComments: isStrict,
    allowTrailingComma: !isStrict,
    allowEmptyContent: emptyNames.test(path),
  });
  return errors[0];
}

function findingOf(path: WorkspacePath, text: string, { error, offset, length }: ParseError): Finding {
  const index = new LineIndex(text);
  const what = printParseErrorCode(error).replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return {
    path,
    diagnostic: {
      range: { start: index.positionAt(offset), end: index.positionAt(offset + length) },
      severity: 'error',
      message: `The text is not valid JSON: ${what.toLowerCase()}.`,
      source: checkerName,
      code: printParseErrorCode(error),
    },
  };
}

/** Package managers read these as strict JSON. */
const strictNames = /(?:^|\/)(?:package|package-lock|npm-shrinkwrap|composer)\.json$/;

/** Compilers accept an empty configuration. */
const emptyNames = /(?:^|\/)(?:ts|js)config\b[^/]*\.json$/;

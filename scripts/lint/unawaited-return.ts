/**
 * Finds promises that are returned out of a block which ends before they settle.
 *
 * A block that declares `using` or `await using` disposes its resource when it is left, and `finally` runs then too: a
 * promise returned without `await` settles after that, and `catch` never sees its rejection. While the disposal is
 * awaited the promise has no handler at all, so a rejection ends the process.
 *
 * Invariant: decided by the type of the returned expression, never by its name.
 */
import ts from 'typescript';

export interface UnawaitedReturn {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  readonly text: string;
}

export function unawaitedReturns(
  program: ts.Program,
  isChecked: (fileName: string) => boolean,
): readonly UnawaitedReturn[] {
  const checker = program.getTypeChecker();
  return program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && isChecked(fileName))
    .flatMap((source) => returnsIn(source, checker));
}

/** A program of the files a tsconfig.json names. */
export function programOf(configFile: string): ts.Program {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const parsed = ts.getParsedCommandLineOfConfigFile(configFile, {}, host);
  if (!parsed) throw new Error(`${configFile} cannot be read`);
  return ts.createProgram(parsed.fileNames, parsed.options);
}

function fail({ messageText }: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function returnsIn(source: ts.SourceFile, checker: ts.TypeChecker): readonly UnawaitedReturn[] {
  const found: UnawaitedReturn[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression && isOffence(node, node.expression, checker)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ file: source.fileName, line: line + 1, text: node.getText(source) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isOffence(node: ts.ReturnStatement, expression: ts.Expression, checker: ts.TypeChecker): boolean {
  return endsBeforeSettling(node) && isThenable(checker.getTypeAtLocation(expression), checker);
}

/** Whether a block of the same function is left by the return with something still to do, or to catch. */
function endsBeforeSettling(node: ts.ReturnStatement): boolean {
  let inner: ts.Node = node;
  for (let outer: ts.Node = node.parent; !ts.isSourceFile(outer); inner = outer, outer = outer.parent) {
    if (ts.isFunctionLike(outer)) return false;
    if (ts.isTryStatement(outer) && isLeftUnfinished(outer, inner)) return !isInGenerator(outer);
    const isAfterUsing =
      ts.isBlock(outer) && outer.statements.some((each) => each.pos < node.pos && isUsing(each));
    if (isAfterUsing || isUsingLoop(outer)) return !isInGenerator(outer);
  }
  return false;
}

function isLeftUnfinished({ tryBlock, catchClause, finallyBlock }: ts.TryStatement, inner: ts.Node): boolean {
  if (inner === finallyBlock) return false;
  return finallyBlock !== undefined || (inner === tryBlock && catchClause !== undefined);
}

function isUsing(statement: ts.Statement): boolean {
  return ts.isVariableStatement(statement) && isUsingList(statement.declarationList);
}

function isUsingLoop(node: ts.Node): boolean {
  const isLoop = ts.isForOfStatement(node) || ts.isForStatement(node);
  return (
    isLoop &&
    node.initializer !== undefined &&
    ts.isVariableDeclarationList(node.initializer) &&
    isUsingList(node.initializer)
  );
}

function isUsingList({ flags }: ts.VariableDeclarationList): boolean {
  // `await using` has the bits of `const` and `using` together.
  return (flags & ts.NodeFlags.Using) !== 0;
}

/** A generator that is async awaits what it returns before it leaves the block; any other cannot await at all. */
function isInGenerator(node: ts.Node): boolean {
  const owner = ts.findAncestor(node, ts.isFunctionLike);
  return owner !== undefined && 'asteriskToken' in owner && owner.asteriskToken !== undefined;
}

function isThenable(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isUnion()) return type.types.some((each) => isThenable(each, checker));
  const then = checker.getApparentType(type).getProperty('then');
  return then !== undefined && checker.getTypeOfSymbol(then).getCallSignatures().length > 0;
}

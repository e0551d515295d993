/**
 * The part of a piece of code that other declarations can see, and the names it depends on.
 *
 * Omitted is only what cannot influence a type elsewhere: the body of a function with an explicit return type, of a
 * setter, of a constructor whose class declares or initialises every property, the initialiser of a property with
 * an explicit type, and the operand of a type assertion that is an initialiser and assigns nothing. Inside a function
 * that is kept nothing is omitted: assignments in nested functions decide how the variables around them are narrowed.
 *
 * Invariant: two pieces with equal skeletons and equal mentions give every other declaration the same types.
 */
import { isOnlyAName, ModuleBindings, mentionsAt } from './module-facts.ts';
import { patternNames, surveyOf } from './statement-survey.ts';
import { isNode, nameOf, nodeAt, nodesAt, type SyntaxNode, type SyntaxTree } from './syntax-tree.ts';

export interface Skeleton {
  readonly text: string;
  /** Names of the same file, and keys of what it imports. */
  readonly mentions: ReadonlySet<string>;
  /** The names of values outside, as `SkeletonOptions` says, whatever they refer to; also `a.` for the `a` of `a.b`. */
  readonly values: ReadonlySet<string>;
}

/** Why a file is read: to compare it with its text before or after an edit, or only to search it. */
export type ReadPurpose = 'comparison' | 'search';

export interface SkeletonOptions {
  /** `everything` if bodies count as well. */
  readonly keep: 'everything' | 'visible';
  /** For a search the text stays empty. */
  readonly purpose: ReadPurpose;
  /** The names that may be narrowed here, or only those that may be narrowed for what follows; absent: the former. */
  readonly values?: 'referenced' | 'narrowed';
}

export function skeletonOf(
  nodes: readonly SyntaxNode[],
  bindings: ModuleBindings,
  options: SkeletonOptions,
): Skeleton {
  const writer = new SkeletonWriter(bindings, options);
  const hides = options.keep === 'visible';
  const around = { ...outermost, hides };
  for (const node of nodes) writer.write(node, around);
  return writer.skeleton();
}

/** All of a tree but comments, blanks and positions. */
export function wholeText({ statements }: SyntaxTree): string {
  return skeletonOf(statements, new ModuleBindings([], []), { keep: 'everything', purpose: 'comparison' })
    .text;
}

interface Surroundings {
  /** Whether bodies may be omitted here: not inside a function that is kept. */
  readonly hides: boolean;
  /** Whether the body of the function here determines no type: a setter, or a constructor of a typed class. */
  readonly hidesBody: boolean;
  /** Inside a class: whether every property has a type or a value. */
  readonly isTypedClass: boolean;
  /** Whether the expression here is the initialiser of a variable or a property, whose type it determines. */
  readonly isInitialiser: boolean;
  /** Whether names here refer to types. */
  readonly isType: boolean;
  /** The parameters of the functions around: inside them these names refer to nothing outside. */
  readonly parameters: ReadonlySet<string>;
  /** Inside a function that is not called in place, so that what it tests narrows nothing outside. */
  readonly isDeferred: boolean;
  /** Whether a function here is called in place. */
  readonly isCalled: boolean;
  /** Inside a function declaration, where every variable outside has its declared type. */
  readonly isHoisted: boolean;
}

const outermost: Surroundings = {
  hides: false,
  hidesBody: false,
  isTypedClass: false,
  isInitialiser: false,
  isType: false,
  parameters: new Set(),
  isDeferred: false,
  isCalled: false,
  isHoisted: false,
};

class SkeletonWriter {
  readonly #bindings: ModuleBindings;
  readonly #isWritten: boolean;
  readonly #wantsNarrowed: boolean;
  /** What the last assignment assigns. */
  #target: SyntaxNode | undefined;
  #text = '';
  readonly #mentions = new Set<string>();
  readonly #values = new Set<string>();

  constructor(bindings: ModuleBindings, { purpose, values }: SkeletonOptions) {
    this.#bindings = bindings;
    this.#isWritten = purpose === 'comparison';
    this.#wantsNarrowed = values === 'narrowed';
  }

  skeleton(): Skeleton {
    return { text: this.#text, mentions: this.#mentions, values: this.#values };
  }

  write(node: SyntaxNode, around: Surroundings): void {
    for (const key of mentionsAt(node, this.#bindings)) this.#mentions.add(key);
    if (node.type === 'Identifier' && !around.isType) this.#addValue(node, around);
    this.#writeNode(node, around);
  }

  #writeNode(node: SyntaxNode, around: Surroundings): void {
    this.#put(`(${node.type}`);
    const below = surroundingsBelow(node, around);
    const hidden = around.hides ? hiddenField(node, around, this.#bindings) : undefined;
    // Nodes are plain objects. `in` copies nothing, which matters for the tens of thousands of them.
    for (const field in node) {
      if (isUnseen(field)) continue;
      if (field === hidden) this.#put(`${field}:hidden`);
      else this.#writeField(node, field, node[field], below);
    }
    this.#put(')');
  }

  #writeField(node: SyntaxNode, field: string, value: unknown, around: Surroundings): void {
    if (isNode(value)) {
      this.#put(`${field}:`);
      this.#writeBelow(node, field, value, around);
    } else if (Array.isArray(value)) {
      this.#put(`${field}:[`);
      for (const item of value) {
        if (isNode(item)) this.#writeBelow(node, field, item, around);
        else this.#put(JSON.stringify(item ?? null));
      }
      this.#put(']');
    } else if (this.#isWritten && value !== null && value !== undefined && value !== false) {
      this.#put(`${field}:${primitive(node, field, value)}`);
    }
  }

  #put(text: string): void {
    if (this.#isWritten) this.#text += ` ${text}`;
  }

  #addValue(node: SyntaxNode, { parameters, isDeferred, isHoisted }: Surroundings, form = ''): void {
    const name = nameOf(node) ?? '';
    const isNarrowable = !isHoisted && !(this.#wantsNarrowed && isDeferred);
    if (isNarrowable && name !== 'undefined' && !parameters.has(name)) this.#values.add(name + form);
  }

  #writeBelow(node: SyntaxNode, field: string, child: SyntaxNode, around: Surroundings): void {
    if (isAssignedField(node, field)) this.#target = child;
    // What a member was before it is assigned is not read.
    const isRead = this.#wantsNarrowed || node !== this.#target;
    if (isRead && isOwner(node, field, child)) this.#addValue(child, around, '.');
    if (isOnlyAName(node, field, this.#bindings)) {
      // A namespace whose member was recorded may still be narrowed.
      if (field === 'object' || field === 'left') this.#addValue(child, around);
      this.#writeNode(child, around);
    } else if (this.#wantsNarrowed && isPlainlyAssigned(node, field, child)) {
      for (const key of mentionsAt(child, this.#bindings)) this.#mentions.add(key);
      this.#writeNode(child, around);
    } else this.write(child, isCallee(node, field) ? { ...around, isCalled: true } : around);
  }
}

/** Computed for the children of `node`, not for itself. */
function surroundingsBelow(node: SyntaxNode, around: Surroundings): Surroundings {
  const isType =
    node.computed !== true && !valuesInTypes.has(node.type) && (around.isType || types.has(node.type));
  if (functions.has(node.type)) {
    const parameters = new Set([...around.parameters, ...nodesAt(node, 'params').flatMap(patternNames)]);
    return {
      ...around,
      isType,
      hides: false,
      hidesBody: false,
      isInitialiser: false,
      parameters,
      isDeferred: around.isDeferred || !around.isCalled,
      isCalled: false,
      isHoisted: around.isHoisted || hoisted.has(node.type),
    };
  }
  const isCalled = around.isCalled && node.type === 'ParenthesizedExpression';
  if (node.type === 'ClassBody')
    return {
      ...{ ...around, isType, hidesBody: false, isInitialiser: false },
      isTypedClass: nodesAt(node, 'body').every(isTypedMember),
    };
  const hidesBody = node.kind === 'set' || (node.kind === 'constructor' && around.isTypedClass);
  const isInitialiser =
    isInitialised(node) || (around.isInitialiser && node.type === 'ParenthesizedExpression');
  const isSame =
    hidesBody === around.hidesBody &&
    isType === around.isType &&
    isCalled === around.isCalled &&
    isInitialiser === around.isInitialiser;
  return isSame ? around : { ...around, isType, hidesBody, isCalled, isInitialiser };
}

function isAssignedField(node: SyntaxNode, field: string): boolean {
  return node.type === 'AssignmentExpression' && node.operator === '=' && field === 'left';
}

/** The `a` of `a.b`. */
function isOwner({ type }: SyntaxNode, field: string, child: SyntaxNode): boolean {
  const isAccess = type === 'MemberExpression' && field === 'object';
  return (isAccess || (type === 'TSQualifiedName' && field === 'left')) && child.type === 'Identifier';
}

function isCallee(node: SyntaxNode, field: string): boolean {
  return node.type === 'CallExpression' && field === 'callee';
}

/** A variable that is only the new value of something is not narrowed by it. */
function isPlainlyAssigned(node: SyntaxNode, field: string, child: SyntaxNode): boolean {
  return node.type === 'AssignmentExpression' && field === 'right' && child.type === 'Identifier';
}

/** Whether an expression directly below `node` is its initialiser; a pattern takes its types apart and is left alone. */
function isInitialised(node: SyntaxNode): boolean {
  if (node.type === 'VariableDeclarator') return nodeAt(node, 'id')?.type === 'Identifier';
  return node.type === 'PropertyDefinition' && node.computed !== true;
}

/** The field of `node` that is not visible from outside. */
function hiddenField(node: SyntaxNode, around: Surroundings, bindings: ModuleBindings): string | undefined {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return around.hidesBody || isNode(node.returnType) ? 'body' : undefined;
    case 'StaticBlock':
      return around.isTypedClass ? 'body' : undefined;
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return isNode(node.typeAnnotation) && isNode(node.value) ? 'value' : undefined;
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      return around.isInitialiser && isItsOwnType(node, bindings) ? 'expression' : undefined;
    default:
      return undefined;
  }
}

/**
 * Whether a type assertion has the type it names without a look at its operand. The compiler takes it so for an
 * initialiser; anywhere else the operand is checked first, and may refer to the type that is being inferred. What the
 * operand assigns narrows variables for what follows.
 */
function isItsOwnType(assertion: SyntaxNode, bindings: ModuleBindings): boolean {
  const type = nodeAt(assertion, 'typeAnnotation');
  const operand = nodeAt(assertion, 'expression');
  if (!type || !operand || nameOf(nodeAt(type, 'typeName')) === 'const') return false;
  const { assigned, extended } = surveyOf(operand, bindings);
  return assigned.size === 0 && extended.size === 0;
}

function isTypedMember(member: SyntaxNode): boolean {
  const isProperty = member.type === 'PropertyDefinition' || member.type === 'AccessorProperty';
  return !isProperty || isNode(member.typeAnnotation) || isNode(member.value);
}

function primitive(node: SyntaxNode, field: string, value: unknown): string {
  // `1`, `1n` and `/1/` differ only in their source text.
  if (field === 'value' && node.type === 'Literal' && typeof value !== 'string') return String(node.raw);
  return JSON.stringify(value);
}

/** Below these nodes names refer to types, except what a type is taken from. */
const types: ReadonlySet<string> = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSTypeAnnotation',
  'TSTypeParameterInstantiation',
  'TSTypeParameterDeclaration',
  'TSTypeReference',
]);
const valuesInTypes: ReadonlySet<string> = new Set(['TSTypeQuery']);

const functions: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSEmptyBodyFunctionExpression',
  'TSDeclareFunction',
]);

const hoisted: ReadonlySet<string> = new Set(['FunctionDeclaration', 'TSDeclareFunction']);

/** `raw` differs with the quotes and is compared only where it matters. */
function isUnseen(field: string): boolean {
  return field === 'type' || field === 'start' || field === 'end' || field === 'raw';
}

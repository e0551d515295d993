import { isCommonJs, untypedExports } from './javascript-exports.ts';
import { type ImportUse, ModuleBindings, type ModuleFacts, partKey, useKey, useOf } from './module-facts.ts';
import { type ReadPurpose, type SkeletonOptions, skeletonOf } from './skeleton.ts';
import {
  declarationIn,
  declaredNames,
  importBindingsIn,
  isExternalImport,
  isForOthers,
  mentionFlow,
  type NamedPart,
  patternNames,
  type StatementSurvey,
  specifierOf,
  surveyOf,
} from './statement-survey.ts';
import {
  directivesOf,
  isNode,
  nameOf,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  type SyntaxTree,
  tagsInside,
} from './syntax-tree.ts';

export function readModule(tree: SyntaxTree, text: string, purpose: ReadPurpose): ModuleFacts {
  return new ModuleReader(tree, text, purpose).facts();
}

/** Collects the facts of one file, statement by statement. */
class ModuleReader {
  readonly #tree: SyntaxTree;
  readonly #text: string;
  readonly #purpose: ReadPurpose;
  readonly #bindings: ModuleBindings;
  readonly #statements: readonly SurveyedStatement[];
  /** Functions and the like: assignments to their members may belong to their type. */
  readonly #extendable: ReadonlySet<string>;
  readonly #parts = new Map<string, NamedPart>();
  readonly #uses = new Map<string, ImportUse>();
  readonly #stars: string[] = [];
  readonly #typeStars: string[] = [];
  readonly #specifiers = new Set<string>();
  readonly #order: string[] = [];
  /** Variables whose type inside the file depends on earlier statements. */
  readonly #narrowed = new Set<string>();

  constructor(tree: SyntaxTree, text: string, purpose: ReadPurpose) {
    this.#purpose = purpose;
    this.#tree = tree;
    this.#text = text;
    const imports = tree.statements
      .flatMap((statement) => [statement, ...ambientStatements(statement)])
      .flatMap(importBindingsIn);
    const declared = tree.statements.flatMap((statement) => declaredNames(declarationIn(statement)));
    const bindings = new ModuleBindings(declared, imports);
    this.#bindings = bindings;
    this.#statements = tree.statements.map((statement) => {
      const declaration = declarationIn(statement);
      return {
        statement,
        declaration,
        names: declaredNames(declaration),
        survey: surveyOf(statement, bindings),
      };
    });
    this.#extendable = new Set(this.#statements.flatMap(({ declaration }) => extendableNames(declaration)));
    for (const binding of imports) if (binding.name !== '*') this.#use(binding);
  }

  facts(): ModuleFacts {
    this.#part(partKey.statements);
    for (const statement of this.#statements) this.#read(statement);
    for (const statement of this.#statements) this.#relate(statement);
    this.#declareForOthers();
    if (this.#tree.dialect === 'javascript') this.#readJavaScript();
    mentionFlow(this.#parts, this.#narrowed);
    this.#mentionExports();
    return {
      parts: this.#parts,
      uses: this.#uses,
      stars: [...this.#stars, ...this.#typeStars],
      typeStars: this.#typeStars,
      specifiers: [...this.#specifiers].sort(),
      order: this.#order,
      directives: directivesOf(this.#tree, this.#text),
      dialect: this.#tree.dialect,
    };
  }

  #read(surveyed: SurveyedStatement): void {
    const { statement, declaration, names } = surveyed;
    const specifier = specifierOf(statement);
    if (specifier !== undefined) this.#specifiers.add(specifier);
    this.#readExports(surveyed, specifier);
    if (isForOthers(declaration)) this.#augment(declaration);
    else if (names.length > 0) this.#declare(surveyed);
    else if (!isModuleSyntax(statement)) {
      this.#order.push(partKey.statements);
      this.#add(partKey.statements, [statement], 'everything', 'narrowed');
      // Whether a variable is assigned in a function decides whether it stays narrowed in others.
      for (const name of surveyed.survey.assigned) this.#part(partKey.statements).values.add(name);
    }
    if (this.#purpose === 'comparison') this.#addTags(surveyed);
  }

  /** A tag of a member counts like the member itself. */
  #addTags({ statement, declaration, names }: SurveyedStatement): void {
    const tags = tagsInside(this.#tree, statement, this.#text);
    if (tags === '') return;
    const isDefault = statement.type === 'ExportDefaultDeclaration';
    const exported = isDefault ? partKey.exported('default') : partKey.statements;
    const other = isForOthers(declaration) ? partKey.global : exported;
    for (const key of names.length > 0 ? names : [other]) this.#part(key).skeleton += tags;
  }

  #readExports({ statement, declaration, names }: SurveyedStatement, specifier: string | undefined): void {
    switch (statement.type) {
      case 'ExportAllDeclaration':
        if (specifier !== undefined) this.#exportAll(statement, specifier);
        return;
      case 'ExportDefaultDeclaration': {
        const value = () => this.#valueOf(declaration, 'default');
        this.#export('default', names.length === 0 ? value() : names, 'default');
        return;
      }
      case 'ExportNamedDeclaration':
        for (const name of names) this.#export(name, [name], '');
        for (const part of nodesAt(statement, 'specifiers')) this.#exportPart(statement, part, specifier);
        if (isExternalImport(declaration)) this.#exportImport(declaration);
        return;
      case 'TSExportAssignment':
        addAll(
          this.#part(partKey.assignment).mentions,
          this.#valueOf(nodeAt(statement, 'expression') ?? statement, partKey.assignmentValue),
        );
        return;
      default:
        if (this.#tree.isDeclarationFile) this.#exportImplicitly(names);
    }
  }

  /**
   * What an expression exports: a name is another name of what it refers to, with the declared type; anything else has the
   * type of the expression, for which what it mentions may be narrowed.
   */
  #valueOf(expression: SyntaxNode, key: string): readonly string[] {
    const named = expression.type === 'Identifier' ? this.#bindings.mention(nameOf(expression) ?? '') : [];
    if (named.length > 0) return named;
    this.#add(key, [expression], 'visible');
    return [key];
  }

  /** In a declaration file without export statements every declaration is exported. */
  #exportImplicitly(names: readonly string[]): void {
    const isExplicit = this.#tree.statements.some(isExportStatement);
    for (const name of names) this.#export(name, [name], isExplicit ? 'not' : '');
  }

  #exportAll(statement: SyntaxNode, specifier: string): void {
    const name = nameOf(nodeAt(statement, 'exported'));
    const isTypeOnly = statement.exportKind === 'type';
    if (name !== undefined)
      this.#export(name, [this.#use({ specifier, name: '*', isTypeOnly })], isTypeOnly ? 'type' : '');
    else (isTypeOnly ? this.#typeStars : this.#stars).push(specifier);
  }

  #exportPart(statement: SyntaxNode, part: SyntaxNode, specifier: string | undefined): void {
    const local = nameOf(nodeAt(part, 'local'));
    const exported = nameOf(nodeAt(part, 'exported'));
    if (local === undefined || exported === undefined) return;
    const isTypeOnly = statement.exportKind === 'type' || part.exportKind === 'type';
    const targets =
      specifier === undefined
        ? this.#bindings.mention(local)
        : [this.#use({ specifier, name: local, isTypeOnly })];
    // A variable declared in a block has no statement of its own.
    this.#export(exported, targets.length > 0 ? targets : [partKey.statements], isTypeOnly ? 'type' : '');
  }

  #exportImport(declaration: SyntaxNode): void {
    const name = nameOf(nodeAt(declaration, 'id'));
    if (name !== undefined) this.#export(name, this.#bindings.mention(name), '');
  }

  #export(name: string, targets: readonly string[], how: string): void {
    const part = this.#part(partKey.exported(name));
    part.skeleton += `${how} ${targets.join(' ')};`;
    for (const target of targets) part.mentions.add(target);
  }

  #declare({ declaration, names, survey }: SurveyedStatement): void {
    const isWhole =
      [...survey.extended].some((name) => this.#extendable.has(name)) ||
      this.#tree.dialect === 'javascript' ||
      declaration.type === 'TSModuleDeclaration' ||
      (declaration.type === 'ClassDeclaration' && assignsStatically(declaration, this.#bindings));
    const keep = isWhole ? 'everything' : 'visible';
    if (runsInOrder.has(declaration.type)) this.#order.push(...names);
    if (declaration.type !== 'VariableDeclaration') {
      for (const name of names) this.#add(name, [declaration], keep);
      return;
    }
    for (const declarator of nodesAt(declaration, 'declarations')) {
      for (const name of patternNames(nodeAt(declarator, 'id')))
        this.#declareVariable(name, declaration, declarator, keep);
    }
  }

  #declareVariable(
    name: string,
    declaration: SyntaxNode,
    declarator: SyntaxNode,
    keep: SkeletonOptions['keep'],
  ): void {
    const id = nodeAt(declarator, 'id');
    const value = nodeAt(declarator, 'init');
    const isTyped = id !== undefined && isNode(id.typeAnnotation) && keep === 'visible';
    this.#part(name).isVariable = true;
    this.#part(name).skeleton += `${declaration.kind} ${declaration.declare} ${declarator.definite}`;
    this.#add(name, isTyped ? [id] : [declarator], keep);
    if (isTyped && value) this.#add(partKey.assigned(name), [value], 'everything');
    if (declaration.kind !== 'const' || (isTyped && value)) this.#narrowed.add(name);
  }

  #augment(declaration: SyntaxNode): void {
    const id = nodeAt(declaration, 'id');
    const specifier = id?.type === 'Literal' ? nameOf(id) : undefined;
    if (specifier === undefined) {
      this.#add(partKey.global, [declaration], 'everything');
      return;
    }
    // The existence of such a module is visible everywhere.
    this.#part(partKey.global).skeleton += `module ${JSON.stringify(specifier)} `;
    for (const inner of nodesAt(nodeAt(declaration, 'body') ?? declaration, 'body')) {
      const names = declaredNames(declarationIn(inner));
      if (names.length === 0 && inner.type !== 'ImportDeclaration')
        this.#add(partKey.global, [inner], 'everything');
      for (const name of names) this.#augmentName(specifier, name, inner);
    }
  }

  /** An augmentation and the augmented declaration depend on each other. */
  #augmentName(specifier: string, name: string, statement: SyntaxNode): void {
    const key = partKey.augmented(specifier, name);
    this.#add(key, [statement], 'everything');
    this.#part(key).mentions.add(this.#use({ specifier, name }));
  }

  /** Records the effect of a statement on other declarations. */
  #relate({ statement, declaration, names, survey }: SurveyedStatement): void {
    for (const key of survey.mentions) {
      const use = useOf(key);
      if (use) this.#use(use);
    }
    for (const extended of survey.extended) {
      if (!this.#extendable.has(extended)) continue;
      if (names.length > 0) addAll(this.#part(extended).mentions, names);
      else this.#add(extended, [statement], 'everything');
    }
    if (declaredNames(declaration).length === 0) return;
    for (const variable of survey.assigned) {
      if (this.#parts.has(variable)) this.#reassign(variable, names);
    }
  }

  /** A variable that is assigned in the declarations of `names` depends on them. */
  #reassign(variable: string, names: readonly string[]): void {
    const part = this.#part(partKey.assigned(variable));
    if (!part.skeleton.startsWith(reassigned)) part.skeleton = reassigned + part.skeleton;
    addAll(
      part.mentions,
      names.flatMap((name) => [name, partKey.assigned(name)]),
    );
  }

  /** A script declares its names for every file, and `export as namespace` all exports of a module. */
  #declareForOthers(): void {
    const statements = this.#tree.statements;
    const namespaces = statements.filter(({ type }) => type === 'TSNamespaceExportDeclaration');
    const isScript = !statements.some(isModuleSyntax) && !isCommonJs(this.#tree, this.#text);
    if (namespaces.length === 0 && !isScript) return;
    for (const namespace of namespaces)
      this.#part(partKey.global).skeleton += `namespace ${nameOf(nodeAt(namespace, 'id'))} `;
    for (const key of [...this.#parts.keys()])
      if (key !== partKey.global) this.#part(partKey.global).mentions.add(key);
  }

  #readJavaScript(): void {
    const { mentions, exported, passedOn } = untypedExports(this.#tree, this.#text, this.#bindings);
    const keys = [...mentions].map((mention) => (typeof mention === 'string' ? mention : this.#use(mention)));
    const all = [...this.#parts.keys(), ...keys];
    for (const part of this.#parts.values()) for (const key of keys) part.mentions.add(key);
    for (const name of exported) this.#export(name, all, '');
    if (passedOn) this.#stars.push(...[...this.#uses.values()].map(({ specifier }) => specifier));
  }

  /** Whether a type can be named elsewhere decides what can be emitted for the declarations that use it. */
  #mentionExports(): void {
    for (const key of [...this.#parts.keys()].filter((part) => part.startsWith('>')).sort()) {
      for (const name of this.#part(key).mentions) {
        const part = this.#parts.get(name);
        if (part) part.skeleton += ` exported as ${key}`;
      }
    }
  }

  #add(
    key: string,
    nodes: readonly SyntaxNode[],
    keep: SkeletonOptions['keep'],
    values?: SkeletonOptions['values'],
  ): void {
    const part = this.#part(key);
    const options = { keep, purpose: this.#purpose, ...(values && { values }) };
    const skeleton = skeletonOf(nodes, this.#bindings, options);
    part.skeleton += skeleton.text;
    for (const mention of skeleton.mentions) if (mention !== key) part.mentions.add(mention);
    // Where a variable is declared it is not narrowed, and in its own value it has no type yet.
    for (const name of skeleton.values) if (name !== key) part.values.add(name);
  }

  #part(key: string): NamedPart {
    const known = this.#parts.get(key);
    if (known) return known;
    const part = { isVariable: false, skeleton: '', mentions: new Set<string>(), values: new Set<string>() };
    this.#parts.set(key, part);
    return part;
  }

  #use(use: ImportUse): string {
    const { specifier, name, isTypeOnly = false } = use;
    const key = useKey(use);
    this.#uses.set(key, { specifier, name, isTypeOnly });
    this.#specifiers.add(specifier);
    return key;
  }
}

interface SurveyedStatement {
  readonly statement: SyntaxNode;
  readonly declaration: SyntaxNode;
  readonly names: readonly string[];
  readonly survey: StatementSurvey;
}

/** Whether a class assigns variables when it is declared, which narrows them for later statements. */
function assignsStatically(declaration: SyntaxNode, bindings: ModuleBindings): boolean {
  return nodesAt(nodeAt(declaration, 'body') ?? declaration, 'body')
    .filter((member) => member.static === true || member.type === 'StaticBlock')
    .some((member) => surveyOf(member, bindings).assigned.size > 0);
}

/** Functions, classes, and variables initialised with one. */
function extendableNames(declaration: SyntaxNode): readonly string[] {
  if (declaration.type !== 'VariableDeclaration')
    return /Function|Class/.test(declaration.type) ? declaredNames(declaration) : [];
  return nodesAt(declaration, 'declarations').flatMap((declarator) => {
    let value = nodeAt(declarator, 'init');
    while (value && nodeAt(value, 'expression') && !/Function|Class/.test(value.type))
      value = nodeAt(value, 'expression');
    return value && /Function|Class/.test(value.type) ? patternNames(nodeAt(declarator, 'id')) : [];
  });
}

/** The statements of `declare module 'name'`, whose imports occur nowhere else. */
function ambientStatements(statement: SyntaxNode): readonly SyntaxNode[] {
  return isForOthers(statement) ? nodesAt(nodeAt(statement, 'body') ?? statement, 'body') : [];
}

/** `export { … }`, `export *` and `export =`, other than the modifier of a declaration. */
function isExportStatement(statement: SyntaxNode): boolean {
  const { type } = statement;
  return (
    (type.startsWith('Export') || type === 'TSExportAssignment') &&
    declaredNames(declarationIn(statement)).length === 0
  );
}

function isModuleSyntax(statement: SyntaxNode): boolean {
  return /^(?:Import|Export|TSExport|TSNamespaceExport)/.test(statement.type) || isExternalImport(statement);
}

/** Marks a variable that is assigned inside a function: it is not narrowed in other functions. */
const reassigned = 'assigned in a declaration ';

/** Declarations that are executed in place; the others are hoisted. */
const runsInOrder: ReadonlySet<string> = new Set([
  'VariableDeclaration',
  'ClassDeclaration',
  'TSEnumDeclaration',
]);

function addAll(keys: Set<string>, added: readonly string[]): void {
  for (const key of added) keys.add(key);
}

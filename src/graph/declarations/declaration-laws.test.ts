import fc from 'fast-check';
import { expect, test } from 'vitest';
import { declarationFiles } from '../../../test/support/declaration-files.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { DeclarationIndex } from './declaration-index.ts';
import type { EditProof } from './edit-proof.ts';

const signal = new AbortController().signal;

function prove(
  files: ReadonlyMap<string, string>,
  path: string,
  change: { before: string; after: string },
): Promise<EditProof> {
  const index = new DeclarationIndex(declarationFiles(files));
  return index.prove(new Map([[path as WorkspacePath, change]]), new Map(), signal);
}

const statements = [
  `export function f < T > ( a : T , b = 1 ) : T { const c = a ; return c ; }`,
  `export class C < T > extends D { private x ? : T ; #y = 1 ; static z : number = 2 ; m ( ) : void { this . x ; } }`,
  `export const o = { a : 1 , [ 'b' ] : [ 2 , 3 ] , get c ( ) { return \`x\${ 1 }y\` ; } } as const ;`,
  `export type Q < T > = T extends infer U ? { readonly [ K in keyof U ] ? : U [ K ] } : never ;`,
  `export enum E { A = 1 , B = A << 2 }`,
  `if ( a ) { b ( 1 ) ; } else throw new Error ( 'x' ) ;`,
];
/** Words after which a line may not end. */
const mayBreak = /(?<!\b(?:return|throw|static|infer|readonly|export|const|type|enum|private|as))$/;
const blank = fc.constantFrom(' ', '\n', '  ', ' /* no */ ', '/* @ts-ignore */ ', ' // end\n');

test('whatever stands between tokens, the tokens are the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(statements, { minLength: 1 }),
      fc.infiniteStream(blank),
      async (chosen, blanks) => {
        const before = `import { D } from './d';\n${chosen.join('\n')}`;
        const after = before.replace(/ (?!as |extends |\[ )/g, (space: string, at: number) =>
          mayBreak.test(before.slice(0, at)) ? (blanks.next().value ?? space) : space,
        );
        const index = new DeclarationIndex(declarationFiles(new Map()));
        expect(await index.keepsTokens(new Map([['a.ts' as WorkspacePath, { before, after }]]))).toBe(true);
        expect((await prove(new Map(), 'a.ts', { before, after })).kind).toBe('declarations');
      },
    ),
    { numRuns: 30 },
  );
}, 60_000);

/** How one module uses another: its text, and whether its own export depends on it. */
interface UseForm {
  readonly write: (from: number) => readonly [imports: string, value: string];
  readonly exposes: boolean;
}

const forms: readonly UseForm[] = [
  { exposes: true, write: (i) => [`import { v${i} } from './m${i}';`, `v${i}`] },
  { exposes: true, write: (i) => [`import { v${i} as w${i} } from './m${i}.js';`, `w${i}`] },
  { exposes: true, write: (i) => [`import * as n${i} from './m${i}';`, `n${i}.v${i}`] },
  { exposes: true, write: (i) => [`import d${i} from './m${i}';`, `d${i}`] },
  { exposes: true, write: (i) => ['', `await import('./m${i}')`] },
  { exposes: true, write: (i) => [`import { v${i} } from './b${i}';`, `v${i}`] },
  {
    exposes: true,
    write: (i) => [`import type { v${i} } from './b${i}';`, `null as unknown as typeof v${i}`],
  },
  { exposes: false, write: (i) => [`import { v${i} } from './m${i}';`, `(): void => { v${i}; }`] },
  { exposes: false, write: (i) => [`import { v${i} } from './b${i}';`, `class { m: unknown = v${i}; }`] },
];

interface ModuleUse {
  readonly from: number;
  readonly form: UseForm;
}

const uses = fc.array(fc.record({ from: fc.nat(6), form: fc.constantFrom(...forms) }), { maxLength: 3 });

/** Each module uses some of those before it. */
const graphs = fc
  .array(uses, { minLength: 2, maxLength: 7 })
  .map((modules) =>
    modules.map((found, at) =>
      found.filter(
        ({ from }, place) => from < at && found.findIndex((other) => other.from === from) === place,
      ),
    ),
  );

function textOf(at: number, found: readonly ModuleUse[]): string {
  const written = found.map(({ from, form }) => form.write(from));
  const value = `[${at}, ${written.map(([, part]) => part).join(', ')}]`;
  return `${written.map(([imports]) => imports).join('\n')}\nexport const v${at} = ${value};\nexport default v${at};\nexport const other${at} = 1;`;
}

/** The modules that use one whose export depends on the first. */
function affectedModules(graph: readonly (readonly ModuleUse[])[]): readonly string[] {
  const exposing = new Set([0]);
  const affected = new Set<string>();
  graph.forEach((found, at) => {
    const touched = found.filter(({ from }) => exposing.has(from));
    if (touched.length > 0) affected.add(`m${at}.ts`);
    if (touched.some(({ form }) => form.exposes)) exposing.add(at);
  });
  return [...affected].sort();
}

test('exactly the modules that rest on a declaration are named, however it reaches them', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      const files = new Map(
        graph.flatMap((found, at) => [
          [`m${at}.ts`, textOf(at, found)] as const,
          [`b${at}.ts`, `export * from './m${at}';`] as const,
        ]),
      );
      const before = files.get('m0.ts') ?? '';
      const proof = await prove(files, 'm0.ts', { before, after: before.replace('[0', `['x'`) });
      expect(proof.kind === 'names' ? proof.files : []).toEqual(affectedModules(graph));
    }),
    { numRuns: 40 },
  );
}, 60_000);

/** What is known of a change before every file that it reaches has answered. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PartialEvaluation } from '../../src/evaluation/evaluation.ts';
import type { WorkspacePath } from '../../src/workspace/workspace-path.ts';
import { ToolWorld } from '../support/tool-world.ts';
import { calm, outline, World } from '../support/world.ts';

interface HubCase {
  readonly language: string;
  readonly files: Readonly<Record<string, string>>;
  readonly hub: string;
  readonly change: { readonly replace: string; readonly with: string };
  /** The files of each step, the last one included. */
  readonly steps: readonly (readonly string[])[];
}

const cases: readonly HubCase[] = [
  {
    language: 'typescript',
    files: {
      'tsconfig.json':
        '{ "compilerOptions": { "strict": true, "lib": ["es2023"], "noEmit": true }, "include": ["src"] }',
      'src/hub.ts': 'export function area(side: number): number { return side * side; }\n',
      'src/user.ts': "import { area } from './hub';\nexport const total = () => area(2);\n",
      'src/broken.ts': "import { area } from './hub';\nexport const half: number = area(2);\n",
      'src/far.ts': "import { total } from './user';\nexport const sum: number = total();\n",
      'src/other.ts': 'export const other = 1;\n',
    },
    hub: 'src/hub.ts',
    change: { replace: 'number { return side * side', with: 'string { return String(side)' },
    steps: [['src/hub.ts'], ['src/broken.ts', 'src/user.ts'], ['src/far.ts']],
  },
  {
    language: 'python',
    files: {
      'hub.py': 'def area(side: int) -> int:\n    return side * side\n',
      'user.py': 'from hub import area\n\nhalf: int = area(2)\n',
      'other.py': 'other = 1\n',
    },
    hub: 'hub.py',
    change: { replace: '-> int:\n    return side * side', with: '-> str:\n    return str(side)' },
    steps: [['hub.py'], ['user.py']],
  },
];

describe.each(cases)('$language', ({ language, files, hub, change, steps }) => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(files);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const judge = async (onPartial?: (partial: PartialEvaluation) => void) => {
    const session = await world.session(language);
    await world.replace(session, hub, change);
    const evaluation = await session.evaluate({ scope: 'workspace', timeoutMs: 100_000, onPartial }, calm);
    await world.sessions.destroy(session.id);
    return evaluation;
  };

  test('the changed file comes first, then the files that name what changed, then the rest', async () => {
    const partials: PartialEvaluation[] = [];
    const whole = await judge((partial) => partials.push(partial));
    const upTo = (step: number): readonly string[] => steps.slice(0, step + 1).flat();
    expect(partials.map(({ evaluatedFiles }) => [...evaluatedFiles].sort())).toEqual(
      steps.slice(0, -1).map((_, step) => [...upTo(step)].sort()),
    );
    const all = steps.flat().length;
    expect(partials.map(({ remaining }) => remaining)).toEqual(
      steps.slice(0, -1).map((_, step) => all - upTo(step).length),
    );
    for (const { introduced, evaluatedFiles } of partials) {
      const known = new Set<WorkspacePath>(evaluatedFiles);
      expect(introduced).toEqual(whole.introduced.filter(({ path }) => known.has(path)));
    }
    expect(whole.evaluatedFiles).toEqual([...steps.flat()].sort());
    expect(whole.confidence).toBe('high');
  });

  test('the answer is the same as in one step', async () => {
    const [stepwise, atOnce] = [await judge(() => {}), await judge()];
    expect(outline(stepwise)).toEqual(outline(atOnce));
    expect(outline(atOnce).introduced).not.toEqual([]);
  });
});

test.each(['preview_edit', 'safe_apply_edit'])(
  '%s reports the errors that are known so far',
  async (tool) => {
    const [{ files, hub, change }] = cases as readonly [HubCase];
    await using tools = await ToolWorld.open(files);
    const edit = { file_path: tools.at(hub), old_text: change.replace, new_text: change.with };
    const { json } = await tools.call(tool, { ...edit, scope: 'workspace' });
    expect(JSON.stringify(json)).toContain('src/far.ts');
    expect(tools.progress.slice(-2)).toEqual([
      'no errors so far (1 file checked), 3 more to check',
      'errors so far: 1 in src/broken.ts (3 files checked), 1 more to check',
    ]);
  },
);

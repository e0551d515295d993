/** Verdicts against the compilers where one file bears on another in other ways than by a plain import. */
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../src/evaluation/evaluation.ts';
import { judgePyrightTrees, judgeTypeScript } from '../support/truth/judge.ts';
import { keptJudgement } from '../support/truth/kept-judgement.ts';
import { normaliseMessage, type Problem } from '../support/truth/problem.ts';
import { pythonStructures, type Structure, typescriptStructures } from '../support/truth/structures.ts';
import { type WorkspaceFiles, writeWorkspace } from '../support/truth/workspace-files.ts';
import { calm, World } from '../support/world.ts';

const trials = [
  {
    language: 'typescript',
    structures: typescriptStructures,
    judge: judgeByCompiler,
    verdictOf: firstVerdict,
  },
  { language: 'python', structures: pythonStructures, judge: judgeByPyright, verdictOf: nextVerdict },
] as const;

interface Verdict {
  readonly introduced: readonly string[];
  readonly resolved: readonly string[];
  readonly confidence: string;
}

/** Where questions about Python are asked. */
let kept: World | undefined;
afterAll(() => kept?.[Symbol.asyncDispose]());

describe.each(trials)('$language', ({ structures, judge, verdictOf }) => {
  let problems: readonly (readonly string[])[] = [];
  beforeAll(async () => {
    problems = await judge(
      structures.flatMap((each) => [treeOf(each, each.files), treeOf(each, edited(each))]),
    );
  });

  test.each(structures.map((structure, place) => [structure.name, structure, place] as const))(
    '%s',
    async (_, structure, place) => {
      const [before = [], after = []] = problems.slice(place * 2);
      const introduced = after.filter((line) => !before.includes(line));
      const resolved = before.filter((line) => !after.includes(line));
      expect(introduced.length + resolved.length).toBeGreaterThan(0);
      expect(await verdictOf(structure)).toEqual({ introduced, resolved, confidence: 'high' });
    },
  );
});

/** Of a server that has just been started on these files. */
async function firstVerdict(structure: Structure): Promise<Verdict> {
  await using disk = await Disk.write(treeOf(structure, structure.files));
  await using world = await World.open({}, { root: disk.root });
  return await verdictOn(world, 'typescript', structure);
}

/** Of a server that had other files before: to start pyright takes longer than all it is asked here. */
async function nextVerdict(structure: Structure): Promise<Verdict> {
  kept ??= await World.open({});
  await kept.replaceFiles(structure.files);
  return verdictOn(kept, 'python', structure);
}

async function verdictOn(world: World, language: string, { edit }: Structure): Promise<Verdict> {
  const session = await world.session(language);
  await session.transform(async (overlay) => {
    let changed = overlay;
    for (const [name, text] of Object.entries(edit)) {
      const path = world.workspace.path(name);
      changed = text === null ? changed.remove(path) : changed.write(path, { kind: 'text', text });
    }
    return changed;
  }, calm);
  const { introduced, resolved, confidence } = await world.evaluate(session, 'workspace');
  await world.sessions.destroy(session.id);
  const lines = (findings: readonly Finding[]): readonly string[] =>
    findings.map((finding) => findingLine(finding, world.root)).sort();
  return { introduced: lines(introduced), resolved: lines(resolved), confidence };
}

function findingLine({ path, diagnostic }: Finding, root: string): string {
  const { line, character } = diagnostic.range.start;
  return `${path}:${line + 1}:${character + 1} ${normaliseMessage(diagnostic.message, root)}`;
}

function problemLine({ path, line, column, message }: Problem): string {
  return `${path}:${line}:${column} ${message}`;
}

function edited({ files, edit }: Structure): WorkspaceFiles {
  const kept = Object.entries({ ...files, ...edit }).flatMap(([path, text]) =>
    text === null ? [] : [[path, text] as const],
  );
  return Object.fromEntries(kept);
}

interface JudgedTree {
  readonly files: WorkspaceFiles;
  readonly links: Readonly<Record<string, string>>;
}

function treeOf({ links = {} }: Structure, files: WorkspaceFiles): JudgedTree {
  return { files, links };
}

/** Globals, configurations and links would disturb one another: each tree is compiled alone. */
async function judgeByCompiler(trees: readonly JudgedTree[]): Promise<readonly (readonly string[])[]> {
  const judged = await keptJudgement({ structures: trees }, async () => {
    const problems: (readonly Problem[])[] = [];
    for (const tree of trees) {
      await using disk = await Disk.write(tree);
      problems.push(await judgeTypeScript(disk.root, calm));
    }
    return problems;
  });
  return judged.map((problems) => problems.map(problemLine).sort());
}

async function judgeByPyright(trees: readonly JudgedTree[]): Promise<readonly (readonly string[])[]> {
  const judged = await judgePyrightTrees(
    trees.map(({ files }) => files),
    calm,
  );
  return judged.map((problems) => problems.map(problemLine).sort());
}

/** A workspace on disk, for as long as it is needed. */
class Disk implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async write({ files, links }: JudgedTree): Promise<Disk> {
    const disk = new Disk(await realpath(await mkdtemp(join(tmpdir(), 'forerun-structure-'))));
    await writeWorkspace(disk.root, files);
    for (const [path, target] of Object.entries(links)) {
      await mkdir(dirname(join(disk.root, path)), { recursive: true });
      await symlink(target, join(disk.root, path));
    }
    return disk;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

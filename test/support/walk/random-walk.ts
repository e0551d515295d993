/**
 * A random walk: edits to one workspace, each judged by a process that has seen all the ones before and by one that has seen
 * none. In between some of them land on the disk: committed by the session, or written by another program; and some are undone.
 * If other programs save at any time, some files also change while an edit is judged that is not compared.
 *
 * Invariant: the tree in memory is what stands on the disk, and a walk is the same in every run with the same seed.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { verdictOf } from '../../../src/evaluation/evaluation.ts';
import { type Overlay, readText } from '../../../src/overlay/overlay.ts';
import type { Session } from '../../../src/session/session.ts';
import { LineIndex } from '../../../src/text/position.ts';
import type { WorkspacePath } from '../../../src/workspace/workspace-path.ts';
import { SeededRandom } from '../seeded-random.ts';
import { rounds } from '../soak.ts';
import { calm, outline, World } from '../world.ts';
import { changed, type Toggle, type Tree, type TreeChange, turned, wayBack } from './toggle.ts';
import type { WalkWorkspace } from './walk-workspace.ts';

/** What a process says of an edit. */
export interface Answer {
  readonly verdict: string;
  readonly confidence: string;
  readonly baselineConfidence: string;
  readonly introduced: readonly string[];
  readonly resolved: readonly string[];
}

/** One edit with both answers, and what led there since the start, for the reader of a failure. */
export interface JudgedStep {
  readonly edit: string;
  readonly history: readonly string[];
  readonly warm: Answer;
  readonly fresh: Answer;
  /** Why the process that has seen the edits before is not sure, in its own words. */
  readonly doubts: readonly string[];
}

/** How many edits a walk has: three hundred in a soak; FORERUN_WALK_STEPS asks for another number. */
export function walkSteps({ steps }: WalkWorkspace): number {
  return Number(process.env.FORERUN_WALK_STEPS ?? rounds({ everyRun: steps, soak: 300 }));
}

/** When other programs save: between two questions, or also while one is answered. */
export type OtherSaves = 'between-questions' | 'at-any-time';

export async function* randomWalk(
  workspace: WalkWorkspace,
  steps: number,
  otherSaves: OtherSaves = 'between-questions',
): AsyncGenerator<JudgedStep> {
  await using world = await World.open(workspace.files);
  const random = SeededRandom.fromEnvironment();
  const walk = new Walk({ world, workspace, random, otherSaves });
  for (let step = 0; step < steps; step++) yield await walk.step();
}

interface WalkParts {
  readonly world: World;
  readonly workspace: WalkWorkspace;
  readonly random: SeededRandom;
  readonly otherSaves: OtherSaves;
}

class Walk {
  readonly #world: World;
  readonly #workspace: WalkWorkspace;
  readonly #random: SeededRandom;
  readonly #otherSaves: OtherSaves;
  readonly #history: string[] = [];
  /** What stood on the disk before each change that landed, the last one last. */
  readonly #earlier: Tree[] = [];
  #tree: Tree;

  constructor({ world, workspace, random, otherSaves }: WalkParts) {
    this.#world = world;
    this.#workspace = workspace;
    this.#random = random;
    this.#otherSaves = otherSaves;
    this.#tree = new Map(Object.entries(workspace.files));
  }

  async step(): Promise<JudgedStep> {
    const edit = this.#draw();
    const session = await proposed(this.#world, this.#workspace.language, edit.change);
    if (this.#random.happens(15)) await this.#changeElsewhere(edit.change);
    // At the same time: neither alters the disk, and most of a fresh answer is the start of a server.
    const [{ doubts, ...warm }, fresh] = await Promise.all([
      answerOf(this.#world, session),
      this.#askFresh(edit.change),
    ]);
    const judged = { edit: edit.what, history: [...this.#history], warm, fresh, doubts };
    await this.#settle(session, edit);
    // A session that ended is still counted until it is destroyed, and a walk has more edits than a program may hold sessions.
    await this.#world.sessions.destroy(session.id);
    if (this.#otherSaves === 'at-any-time' && this.#random.happens(25)) await this.#changeWhileJudged();
    return judged;
  }

  /** One to three changes at once. */
  #draw(): Drawn {
    const names: string[] = [];
    let tree = this.#tree;
    for (let count = 1 + this.#random.below(3); count > 0; ) {
      const toggle = this.#pickToggle();
      const change = turned(tree, toggle, this.#random.below(2));
      if (change === undefined) continue;
      tree = changed(tree, change);
      names.push(describe(toggle, change));
      count--;
    }
    const change = wayBack(tree, this.#tree);
    // Two changes that cancel each other are no edit.
    return change.size === 0 ? this.#draw() : { what: names.join(' + '), change };
  }

  #pickToggle(): Toggle {
    const [first, ...rest] = this.#workspace.toggles;
    if (first === undefined) throw new Error('a walk needs something to change');
    return this.#random.pick([first, ...rest]);
  }

  /** Another program saves another file between the edit and the question. */
  async #changeElsewhere(edit: TreeChange): Promise<void> {
    const other = this.#draw();
    if ([...other.change.keys()].some((path) => edit.has(path))) return;
    await this.#land(other.change, () => this.#writeAsAnother(other.change));
    this.#history.push(`while an edit waits, another program saves ${other.what}`);
  }

  /** What is said of that edit depends on whether the other program was faster; nothing that is said later does. */
  async #changeWhileJudged(): Promise<void> {
    const edit = this.#draw();
    const other = this.#draw();
    const session = await proposed(this.#world, this.#workspace.language, edit.change);
    const save = async () => {
      await pause(this.#random.below(longestPauseMs));
      await this.#land(other.change, () => this.#writeAsAnother(other.change));
      // As another caller of the same process does, who may be served while this one holds the server.
      await this.#world.live.syncWithDisk(calm);
    };
    await Promise.all([answerOf(this.#world, session), save()]);
    await session.discard(calm);
    await this.#world.sessions.destroy(session.id);
    this.#history.push(`while ${edit.what} is judged, another program saves ${other.what}`);
  }

  async #askFresh(change: TreeChange): Promise<Answer> {
    await using fresh = await World.open({}, { root: this.#world.root });
    const { doubts: _, ...answer } = await answerOf(
      fresh,
      await proposed(fresh, this.#workspace.language, change),
    );
    return answer;
  }

  async #settle(session: Session, edit: Drawn): Promise<void> {
    const fate = this.#random.below(100);
    const last = this.#earlier.at(-1);
    if (fate < 25) {
      const destination = { kind: 'disk', onConflict: 'refuse' } as const;
      await this.#land(edit.change, () => session.commit({ destination, patchFormat: 'unified' }, calm));
      this.#history.push(`committed: ${edit.what}`);
      return;
    }
    if (fate < 55) {
      const isOpen = this.#random.happens(50);
      if (!isOpen) await session.discard(calm);
      await this.#land(edit.change, () => this.#writeAsAnother(edit.change));
      if (isOpen) await session.discard(calm);
      this.#history.push(`saved by another program${isOpen ? ' under its session' : ''}: ${edit.what}`);
      return;
    }
    await session.discard(calm);
    if (fate < 70 && last !== undefined) {
      const back = wayBack(last, this.#tree);
      await this.#writeAsAnother(back);
      this.#tree = last;
      this.#earlier.pop();
      this.#history.push(`undone by another program: ${[...back.keys()].join(', ')}`);
    } else this.#history.push(`dropped: ${edit.what}`);
  }

  async #land(change: TreeChange, write: () => Promise<unknown>): Promise<void> {
    await write();
    this.#earlier.push(this.#tree);
    this.#tree = changed(this.#tree, change);
  }

  /** In place or by a rename over it, as editors do. */
  async #writeAsAnother(change: TreeChange): Promise<void> {
    for (const [path, text] of change) {
      const file = join(this.#world.root, path);
      if (text === undefined) {
        await rm(file);
        continue;
      }
      await mkdir(dirname(file), { recursive: true });
      const isInPlace = this.#random.happens(50);
      await writeFile(isInPlace ? file : `${file}.saving`, text);
      if (!isInPlace) await rename(`${file}.saving`, file);
    }
  }
}

/** About as long as a warm server takes to judge an edit. */
const longestPauseMs = 300;

interface Drawn {
  readonly what: string;
  readonly change: TreeChange;
}

/** One file is edited as an editor does it, several at once as a patch does. */
async function proposed(world: World, language: string, change: TreeChange): Promise<Session> {
  const session = await world.session(language);
  const [[name = '', text] = []] = change;
  const path = world.workspace.path(name);
  const isEdit = change.size === 1 && text !== undefined && (await session.overlay.read(path)) !== undefined;
  if (isEdit) await replaceText(session, path, text);
  else await session.transform((overlay) => patched(overlay, world, change), calm);
  return session;
}

async function replaceText(session: Session, path: WorkspacePath, newText: string): Promise<void> {
  const { text } = await readText(session.overlay, path);
  const index = new LineIndex(text);
  const range = { start: index.positionAt(0), end: index.positionAt(text.length) };
  await session.edit({ path, edit: { range, newText } }, calm);
}

async function patched(overlay: Overlay, world: World, change: TreeChange): Promise<Overlay> {
  let edited = overlay;
  for (const [name, text] of change) {
    const path = world.workspace.path(name);
    await overlay.read(path);
    edited = text === undefined ? edited.remove(path) : edited.write(path, { kind: 'text', text });
  }
  return edited;
}

async function answerOf(world: World, session: Session): Promise<Answer & Pick<JudgedStep, 'doubts'>> {
  const evaluation = await world.evaluate(session, 'workspace');
  const { introduced, resolved, confidence } = outline(evaluation);
  return {
    verdict: verdictOf(evaluation).kind,
    confidence,
    baselineConfidence: evaluation.baselineConfidence,
    introduced: introduced.map(withoutRemark).sort(),
    resolved: resolved.map(withoutRemark).sort(),
    doubts: evaluation.doubts,
  };
}

/** clangd appends this once its index knows a header that helps; what is wrong with the code is the same. */
function withoutRemark(line: string): string {
  return line.replace(/ \(fix(?:es)? available\)$/, '');
}

function describe(toggle: Toggle, change: TreeChange): string {
  const paths = [...change].map(([path, text]) => (text === undefined ? `-${path}` : path)).join(' ');
  return toggle.kind === 'text' ? `${paths} (${JSON.stringify(toggle.with)})` : paths;
}

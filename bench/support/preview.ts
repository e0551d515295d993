/**
 * One preview of a sample edit, through each of the ways that are compared.
 *
 * Invariant: every way is timed from the moment the edit is known to the moment its diagnostics are known; the time to
 * revert the edit is not counted. A preview that does not find the error is counted as wrong.
 */
import { join } from 'node:path';
import { languageId } from '../../src/servers/language.ts';
import type { McpConnection } from '../../test/support/mcp-connection.ts';
import type { World } from '../../test/support/world.ts';
import type { BenchWorkspace } from './bench-workspace.ts';
import { type Sampler, timed } from './measurement.ts';
import type { RawServer } from './raw-server.ts';
import { rangeOf, toolArguments } from './sample-edit.ts';

/** Counts the answers that missed the error of the edit. */
export class Misses {
  #missed = 0;
  #asked = 0;

  note(found: number): void {
    this.#asked += 1;
    if (found < 1) this.#missed += 1;
  }

  /** A sentence for the report; undefined if nothing was missed. */
  reported(by: string): string | undefined {
    return this.#missed === 0
      ? undefined
      : `${by} missed the error in ${this.#missed} of ${this.#asked} answers`;
  }
}

/** `preview_edit` over MCP, as an agent calls it. */
export function previewOverMcp(
  connection: McpConnection,
  workspace: BenchWorkspace,
  misses: Misses,
): Sampler {
  const edit = workspace.breaking;
  return async (round) => {
    const args = { file_path: join(workspace.root, edit.path), ...toolArguments(edit, round) };
    let found = 0;
    const elapsedMs = await timed(async () => {
      const answer = await connection.call('preview_edit', args);
      if (answer.isError) throw new Error(`preview_edit failed: ${answer.text}`);
      found = Number(answer.json?.net_delta);
    });
    misses.note(found);
    return elapsedMs;
  };
}

/** A session made, edited, evaluated and destroyed, as a program that uses the library does it. */
export function previewInProcess(world: World, workspace: BenchWorkspace, misses: Misses): Sampler {
  const edit = workspace.breaking;
  const path = world.workspace.path(edit.path);
  const range = rangeOf(edit);
  const { signal } = new AbortController();
  return async (round) => {
    let found = 0;
    const elapsedMs = await timed(async () => {
      const session = await world.sessions.create(
        { live: world.live, language: languageId(workspace.language), lifetime: 'one-call' },
        signal,
      );
      await session.edit({ path, edit: { range, newText: edit.replacement(round) } }, signal);
      found = (await session.evaluate({ scope: 'file' }, signal)).netDelta;
      await world.sessions.destroy(session.id);
    });
    misses.note(found);
    return elapsedMs;
  };
}

/** The change and a pull, straight to a server that has the file open. */
export function changeAndPull(server: RawServer, workspace: BenchWorkspace, misses: Misses): Sampler {
  const edit = workspace.breaking;
  return async (round) => {
    let found = 0;
    const elapsedMs = await timed(async () => {
      await server.apply(edit, round);
      found = await server.pull(edit.path);
    });
    misses.note(found);
    await server.revert(edit, round);
    return elapsedMs;
  };
}

/** The change, answered at once by a publication of that very text: the least a server of this kind can take. */
export function changeAndPublication(server: RawServer, workspace: BenchWorkspace, misses: Misses): Sampler {
  const edit = workspace.breaking;
  return async (round) => {
    let found = 0;
    const elapsedMs = await timed(async () => {
      found = await server.applyUntilPublished(edit, round);
    });
    misses.note(found);
    await server.revertUntilPublished(edit, round);
    return elapsedMs;
  };
}

/** The change, then half a second without a publication; a server that publishes nothing is asked after the window. */
export function changeAndQuiet(
  server: RawServer,
  workspace: BenchWorkspace,
  options: { readonly afterwards: 'pull' | 'published'; readonly misses: Misses },
): Sampler {
  const edit = workspace.breaking;
  return async (round) => {
    let found = 0;
    const elapsedMs = await timed(async () => {
      await server.apply(edit, round);
      found = await server.quiet(edit.path, quietMs);
      if (options.afterwards === 'pull') found = await server.pull(edit.path);
    });
    options.misses.note(found);
    // Settled again before the next sample, so that no late publication falls into its window.
    await server.revert(edit, round);
    await server.quiet(edit.path, quietMs);
    return elapsedMs;
  };
}

const quietMs = 500;

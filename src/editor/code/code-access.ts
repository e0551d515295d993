/** What every request about code needs: the buffers, the servers that show them, and where answers point. */
import { readFile, stat } from 'node:fs/promises';
import type { CodeLocation } from '../../code/code-location.ts';
import type { LiveWorkspace } from '../../live/live-workspace.ts';
import { languageOf } from '../../servers/language.ts';
import { fromFileUri } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Buffers } from '../buffers.ts';
import type { EditApplier } from '../edit-applier.ts';
import { UnknownPlan } from '../editor-failure.ts';
import type { ResultOf } from '../protocol.ts';
import { largestTextBytes } from '../workspace-file.ts';
import type { CodeQuery, SharedServers, Urgency } from './shared-servers.ts';

type WireLocation = ResultOf<'code.locate'>['locations'][number];

/** Where a request is about, as the page sends it. */
export interface AskedFile {
  readonly path: string;
  readonly version?: number | undefined;
}

export class CodeAccess {
  readonly live: LiveWorkspace;
  readonly buffers: Buffers;
  readonly servers: SharedServers;
  readonly applier: EditApplier;
  /** Files outside the workspace that a server has named. */
  readonly #outside = new Set<string>();

  constructor(parts: {
    readonly live: LiveWorkspace;
    readonly buffers: Buffers;
    readonly servers: SharedServers;
    readonly applier: EditApplier;
  }) {
    this.live = parts.live;
    this.buffers = parts.buffers;
    this.servers = parts.servers;
    this.applier = parts.applier;
  }

  /**
   * Asks the server of a file about the version that the page names. An answer about a text that changed meanwhile is a
   * failure, like a request about one.
   */
  async ask<T extends object>(
    asked: AskedFile,
    urgency: Urgency,
    signal: AbortSignal,
    work: (query: CodeQuery, path: WorkspacePath, signal: AbortSignal) => Promise<T>,
  ): Promise<T & { version?: number }> {
    const path = await this.live.workspace.resolve(asked.path);
    this.buffers.requireVersion(path, asked.version);
    const version = this.buffers.get(path)?.version;
    const answer = await this.servers.inFile(path, urgency, signal, (query, joined) =>
      work(query, path, joined),
    );
    this.buffers.requireVersion(path, version);
    return { ...answer, ...(version !== undefined && { version }) };
  }

  /** Locations as a page lists them, each with the text of its line. */
  locations(found: readonly CodeLocation[]): Promise<WireLocation[]> {
    return Promise.all(found.map((each) => this.location(each)));
  }

  async location({ path, uri, range }: CodeLocation): Promise<WireLocation> {
    if (path === undefined) this.#outside.add(uri);
    const line = path === undefined ? '' : await this.#line(path, range.start.line);
    return { ...(path !== undefined && { path }), uri, range, line: line.slice(0, longestLine) };
  }

  /** A file that a server named outside the workspace. */
  async outside(uri: string): Promise<ResultOf<'code.outside'>> {
    const file = this.#outside.has(uri) ? fromFileUri(uri) : undefined;
    if (file === undefined) throw new UnknownPlan(uri);
    const { size } = await stat(file);
    const text = size > largestTextBytes ? '' : await readFile(file, 'utf8');
    return { text, language: languageOf(file) ?? 'plaintext' };
  }

  async #line(path: WorkspacePath, line: number): Promise<string> {
    const buffer = this.buffers.get(path);
    if (buffer) return line < buffer.text.lines ? buffer.text.line(line + 1).text : '';
    return (await this.live.disk.text(path))?.split(/\r\n?|\n/, line + 1)[line] ?? '';
  }
}

const longestLine = 400;

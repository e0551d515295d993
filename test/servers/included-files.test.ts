/** A file of any kind that a source includes as it is belongs to the build: without it the source does not compile. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import type { EvaluationOutcome } from '../../src/evaluation/evaluator.ts';
import { LocalEvaluator } from '../../src/evaluation/local-evaluator.ts';
import { isOnPath } from '../support/on-path.ts';
import { calm, World } from '../support/world.ts';

interface Language {
  readonly server: string;
  readonly files: Readonly<Record<string, string>>;
  /** The source that includes the files. */
  readonly source: string;
  /** Files that the source includes: text, and one that is none. */
  readonly included: readonly string[];
  /** A comment at the end of the source. */
  readonly comment: string;
}

const languages: Readonly<Record<string, Language>> = {
  Go: {
    server: 'gopls',
    files: {
      'go.mod': 'module example.test/embed\n\ngo 1.21\n',
      'page/page.go':
        'package page\n\nimport _ "embed"\n\n//go:embed notes/text.txt\nvar Text string\n\n//go:embed notes/data.bin\nvar Data []byte\n',
      'page/notes/text.txt': 'text\n',
      'notes/unused.txt': 'text\n',
      'README.md': '# Embed\n',
    },
    source: 'page/page.go',
    included: ['page/notes/text.txt', 'page/notes/data.bin'],
    comment: '// A comment.\n',
  },
  Rust: {
    server: 'rust-analyzer',
    files: {
      'Cargo.toml': '[package]\nname = "embed"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs':
        'pub const TEXT: &str = include_str!("../README.md");\npub const DATA: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data.bin"));\n',
      'README.md': '# Embed\n',
      'notes/unused.txt': 'text\n',
    },
    source: 'src/lib.rs',
    included: ['README.md', 'data.bin'],
    comment: '// A comment.\n',
  },
};

describe.each(Object.entries(languages))('%s', (_, { server, files, source, included, comment }) => {
  const here = test.skipIf(!isOnPath(server));
  let world: World;
  beforeAll(async () => {
    if (!isOnPath(server)) return;
    world = await World.open(files);
    const data = included.find((name) => name.endsWith('.bin'));
    if (data !== undefined) await writeFile(`${world.root}/${data}`, Buffer.from([0, 255, 0]));
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const judge = (change: Readonly<Record<string, string | 'removed'>>): Promise<EvaluationOutcome> => {
    const { workspace, live } = world;
    const entries = Object.entries(change);
    const overlay = entries.reduce((made, [name, text]) => {
      const path = workspace.path(name);
      return text === 'removed' ? made.remove(path) : made.writeText(path, text);
    }, live.emptyOverlay());
    const asked = { workspace, overlay, scope: 'workspace', timeoutMs: 120_000, caller: 'test' } as const;
    return new LocalEvaluator(live, silentLog).evaluate(asked, calm);
  };

  here.each(included)('without %s, alone or beside a comment, the source is broken', async (name) => {
    const broken = { verdict: { kind: 'broken', in: [source] } };
    expect(await judge({ [name]: 'removed' })).toMatchObject(broken);
    const commented = `${files[source]}${comment}`;
    expect(await judge({ [name]: 'removed', [source]: commented })).toMatchObject(broken);
  });

  here('another text of an included file is clean, by an answer of the server', async () => {
    const [name = ''] = included;
    const outcome = await judge({ [name]: 'other\n' });
    expect(outcome).toMatchObject({ verdict: { kind: 'clean' } });
    expect(outcome).toMatchObject({ evaluations: [{ server: { name: server } }] });
  });

  here('a file that no source includes asks no server', async () => {
    const unused = Object.keys(files).find((name) => name.endsWith('unused.txt')) ?? '';
    const outcome = await judge({ [unused]: 'removed' });
    expect(outcome).toMatchObject({ verdict: { kind: 'clean' }, evaluations: [] });
  });
});

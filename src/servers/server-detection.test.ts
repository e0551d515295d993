import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { serverCatalogue } from './catalogue.ts';
import { languageId } from './language.ts';
import { describeDetection, rankLanguages } from './server-detection.ts';
import type { DetectedServer } from './server-location.ts';

test('languages are ranked by root markers and files, and dependencies do not count', async () => {
  const tree = await mkdtemp(join(tmpdir(), 'forerun-detect-'));
  try {
    const files = [
      'go.mod',
      'main.go',
      ...Array.from({ length: 60 }, (_, index) => `scripts/s${index}.py`),
      'web/package.json',
      'web/tsconfig.json',
      'web/a.ts',
      'Makefile',
      ...Array.from({ length: 200 }, (_, index) => `node_modules/p/f${index}.rb`),
      '.hidden/a.rs',
      'target/CACHEDIR.TAG',
      'target/b.rs',
    ];
    for (const file of files) {
      await mkdir(dirname(join(tree, file)), { recursive: true });
      await writeFile(join(tree, file), '');
    }
    const ranked = await rankLanguages(tree, new AbortController().signal);
    expect(ranked).toEqual(['typescript', 'python', 'go', 'json']);
  } finally {
    await rm(tree, { recursive: true });
  }
});

test('a detection names what is there, what to configure and what is missing', () => {
  const languages = ['typescript', 'javascript', 'cpp', 'c', 'go', 'lua'].map(languageId);
  const servers = [
    detected('typescript-7', '/app/lib/tsc', 'embedded'),
    detected('clangd', '/usr/bin/clangd-19', 'path'),
    detected('lua-language-server', '/ws/node_modules/.bin/lua-language-server', 'workspace'),
  ];
  expect(describeDetection('/ws', languages, servers)).toMatchInlineSnapshot(`
    {
      "installed_servers": [
        {
          "config_entry": "typescript:typescript-7",
          "language": "typescript",
          "path": "/app/lib/tsc",
          "server": "typescript-7",
        },
        {
          "config_entry": "javascript:typescript-7",
          "language": "javascript",
          "path": "/app/lib/tsc",
          "server": "typescript-7",
        },
        {
          "config_entry": "cpp:clangd-19",
          "language": "cpp",
          "path": "/usr/bin/clangd-19",
          "server": "clangd",
        },
        {
          "config_entry": "c:clangd-19",
          "language": "c",
          "path": "/usr/bin/clangd-19",
          "server": "clangd",
        },
        {
          "config_entry": "lua:/ws/node_modules/.bin/lua-language-server",
          "language": "lua",
          "path": "/ws/node_modules/.bin/lua-language-server",
          "server": "lua-language-server",
        },
      ],
      "not_installed": [
        "go (gopls)",
      ],
      "suggested_config": [
        "typescript:typescript-7",
        "cpp:clangd-19",
        "lua:/ws/node_modules/.bin/lua-language-server",
      ],
      "workspace_dir": "/ws",
      "workspace_languages": [
        "typescript",
        "javascript",
        "cpp",
        "c",
        "go",
        "lua",
      ],
    }
  `);
});

function detected(name: string, path: string, origin: DetectedServer['origin']): DetectedServer {
  const definition = serverCatalogue.find((each) => each.name === name);
  if (!definition) throw new Error(`no server ${name}`);
  return { definition, path, origin, command: [path, ...definition.command.slice(1)], withheld: [] };
}

import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsdown';
import { expect, test } from 'vitest';

/** The web page imports these folders. */
const browserSafe = ['base', 'text'];

test.each(browserSafe)(
  'src/%s is bundled for a browser without Node',
  { timeout: 60_000 },
  async (folder) => {
    const files = readdirSync(`src/${folder}`, { recursive: true, encoding: 'utf8' });
    const entry = files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => `src/${folder}/${file}`);
    const outDir = await mkdtemp(join(tmpdir(), 'forerun-browser-'));
    try {
      const bundles = await build({
        entry,
        outDir,
        platform: 'browser',
        config: false,
        dts: false,
        logLevel: 'silent',
      });
      const chunks = bundles.flatMap((bundle) => bundle.chunks.filter((chunk) => chunk.type === 'chunk'));
      expect(chunks.length).toBeGreaterThanOrEqual(entry.length);
      const inside = new Set(chunks.map(({ fileName }) => fileName));
      const imports = chunks.flatMap((chunk) => chunk.imports.filter((specifier) => !inside.has(specifier)));
      const globals = chunks.flatMap(({ code }) => code.match(nodeGlobals) ?? []);
      expect({ imports, globals }).toEqual({ imports: [], globals: [] });
    } finally {
      await rm(outDir, { recursive: true });
    }
  },
);

const nodeGlobals = /\b(?:Buffer\.|process\.(?:env|cwd|pid|platform)|setImmediate\()/g;

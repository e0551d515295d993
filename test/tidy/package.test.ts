/** The package: its manifests agree with each other, and its documents point at files that come along. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { manPage } from '../../scripts/docs/man-page.ts';
import { publishedFields, serverManifest } from '../../scripts/docs/registry-manifest.ts';
import { entryName } from '../../src/cli/setup/config-entry.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));

function json(path: string): Readonly<Record<string, unknown>> {
  return Object(JSON.parse(readFileSync(join(top, path), 'utf8')));
}

describe.each(['.claude-plugin/plugin.json', 'gemini-extension.json'])('%s', (path) => {
  test('has the name and version of the package, and starts the packed program under the key of init', () => {
    const { name, version, mcpServers } = json(path);
    expect({ name, version }).toEqual({ name: manifest.name, version: manifest.version });
    const { [entryName]: entry, ...others } = Object(mcpServers);
    expect(others).toEqual({});
    expect([entry.command, ...entry.args].join(' ')).toMatch(
      /^node \$\{\w+\}(?:\/|\$\{\/\})bin(?:\/|\$\{\/\})forerun\.js mcp --toolset core$/,
    );
    expect(manifest.files).toContain(path.split('/')[0]);
  });
});

test('the manual page is what scripts/generate-docs.ts writes, and is packed', () => {
  expect(readFileSync(join(top, 'man/forerun.1'), 'utf8')).toBe(manPage());
  expect(manifest.man).toBe('./man/forerun.1');
  expect(manifest.files).toContain('man');
});

test('documents in the package link only to files in the package', () => {
  const packed = manifest.files.flatMap((name) => filesBelow(name));
  const pages = packed.filter((path) => path.endsWith('.md') && !path.startsWith('skills/'));
  const dangling = pages.flatMap((page) =>
    [...readFileSync(join(top, page), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)]
      .map(([, link = '']) => normalize(join(dirname(page), link)))
      .filter((target) => !packed.some((path) => path === target || path.startsWith(`${target}/`)))
      .map((target) => `${page} -> ${target}`),
  );
  expect(dangling).toEqual([]);
});

describe('the entry of the MCP registry', () => {
  const published = { repository: 'https://git.example/owner/forerun', mcpName: 'example.owner/forerun' };

  test('names the package, its version and how it is started', () => {
    const { name, version } = manifest;
    const entry = Object(serverManifest(manifest, published));
    expect(entry).toMatchObject({
      name: published.mcpName,
      version,
      packages: [{ registryType: 'npm', identifier: name, version, transport: { type: 'stdio' } }],
    });
    expect(entry.description.length).toBeLessThanOrEqual(100);
    expect(publishedFields(published)).toEqual({
      mcpName: published.mcpName,
      repository: { type: 'git', url: 'git+https://git.example/owner/forerun.git' },
      bugs: { url: 'https://git.example/owner/forerun/issues' },
    });
  });

  test('is not made for a name or an address that the registry refuses', () => {
    expect(() => serverManifest(manifest, { ...published, mcpName: 'forerun' })).toThrow(
      'is not a name of the registry',
    );
    expect(() => serverManifest(manifest, { ...published, repository: 'http://git.example/x' })).toThrow(
      'not an https',
    );
  });
});

describe('native parts', () => {
  const optional: Readonly<Record<string, string>> = manifest.optionalDependencies;

  /** The packages are bundled, without the parts that hold their native code. */
  test.each<[string, RegExp, RegExp]>([
    ['typescript-server', /^@typescript\//, /^$/],
    ['oxc-parser', /^@oxc-parser\//, /wasm/],
    // They do not say which libc they need, so npm would install both. Decision 27.
    ['libsql', /^@libsql\//, /musl/],
  ])('of %s are dependencies of the package, in the version that it is tested with', (name, own, except) => {
    const offered = Object.entries(Object(json(`node_modules/${name}/package.json`).optionalDependencies));
    const wanted = offered.filter(([part]) => own.test(part) && !except.test(part));
    expect(wanted.length).toBeGreaterThan(0);
    expect(
      Object.entries(optional)
        .filter(([part]) => own.test(part))
        .sort(),
    ).toEqual(wanted.sort());
  });
});

/** The files of a row in `files`; what a build makes is not there yet. */
function filesBelow(name: string): readonly string[] {
  if (name === 'dist') return [];
  const path = join(top, name);
  if (statSync(path).isFile()) return [name];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(top, join(entry.parentPath, entry.name)));
}

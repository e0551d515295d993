import { expect, test } from 'vitest';
import { manifestProblem } from '../support/compilers/rust-compiler.ts';

const member =
  'error: failed to load manifest for workspace member `/w/tests/plain`\nreferenced by workspace at `/w/Cargo.toml`\n';

test.each([
  [
    'it points at',
    `error: invalid basic string\n --> impl/Cargo.toml:5:13\n  |\n${member}`,
    'impl/Cargo.toml',
  ],
  [
    'it could not load',
    `${member}\nCaused by:\n  failed to read \`/w/gone/Cargo.toml\`\n`,
    'tests/plain/Cargo.toml',
  ],
  ['it could not parse', 'error: failed to parse manifest at `/w/Cargo.toml`\n', 'Cargo.toml'],
  ['of the workspace', 'error: no matching package named `x` found\n', 'Cargo.toml'],
])('an error of cargo is in the manifest %s', (_, stderr, path) => {
  expect(manifestProblem(stderr, '/w').path).toBe(path);
});

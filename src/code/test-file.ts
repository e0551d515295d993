/**
 * Whether a file contains tests, by the conventions of its language's test runners.
 *
 * Invariant: the name and the directories decide; no file is opened.
 */
export function isTestFile(path: string): boolean {
  const segments = path.split(/[\\/]/);
  const name = segments.at(-1) ?? '';
  return isTestName(name) || segments.slice(0, -1).some((directory) => testDirectories.has(directory));
}

const testDirectories = new Set(['tests', '__tests__', 'spec']);

function isTestName(name: string): boolean {
  return (
    /\.(test|spec)\./.test(name) ||
    name.startsWith('test_') ||
    /_test\.(go|py)$/.test(name) ||
    /_spec\.rb$/.test(name) ||
    /Tests?\.(java|kt|cs)$/.test(name) ||
    /Tests\.swift$/.test(name)
  );
}

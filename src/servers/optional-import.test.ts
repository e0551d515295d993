import { expect, test } from 'vitest';
import { isOptionalImport } from './optional-import.ts';

test.each([
  ['a try with ImportError', 'try:\n    import a\nexcept ImportError:\n    a = None\n', 1, true],
  [
    'one of several errors',
    'try:\n    import a\nexcept (OSError, ModuleNotFoundError):\n    pass\n',
    1,
    true,
  ],
  [
    'a later clause',
    'try:\n    import a\nexcept OSError:\n    pass\nexcept ImportError:\n    pass\n',
    1,
    true,
  ],
  ['a bare except', 'try:\n    import a\nexcept:\n    pass\n', 1, true],
  [
    'a comment and a blank line between',
    'try:\n    # why\n\n    import a\nexcept ImportError:\n    pass\n',
    3,
    true,
  ],
  ['a try in the fallback of another', nested(), 4, true],
  [
    'a condition inside the try',
    'try:\n    if x:\n        import a\nexcept ImportError:\n    pass\n',
    2,
    true,
  ],
  ['a plain import', 'import a\n', 0, false],
  ['another error', 'try:\n    import a\nexcept OSError:\n    pass\n', 1, false],
  ['finally alone', 'try:\n    import a\nfinally:\n    pass\n', 1, false],
  ['the fallback itself', 'try:\n    import a\nexcept ImportError:\n    import b\n', 3, false],
  ['an import after the try', 'try:\n    import a\nexcept ImportError:\n    pass\nimport b\n', 4, false],
  ['a function that calls for it', 'def f():\n    import a\n    return a\n', 1, false],
])('%s', (_, text, line, isOptional) => {
  expect(isOptionalImport(text, line)).toBe(isOptional);
});

function nested(): string {
  return [
    'try:',
    '    import brotli',
    'except ImportError:  # pragma: no cover',
    '    try:',
    '        import brotlicffi as brotli',
    '    except ImportError:',
    '        brotli = None',
    '',
  ].join('\n');
}

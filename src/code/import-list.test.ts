import { expect, test } from 'vitest';
import { languageId } from '../servers/language.ts';
import { importsIn } from './import-list.ts';

test.each<[string, string, readonly string[]]>([
  ['typescript', "import {\n  a,\n} from './a';\nimport b from 'b';\n", ['./a', 'b']],
  ['python', 'import os\nfrom kit.math import add\n', ['os', 'kit.math', 'kit.math.add']],
  ['go', 'package a\n\nimport (\n\t"fmt"\n\t"os"\n)\n//go:embed x\n', ['fmt', 'os']],
  ['cpp', '#include <vector>\n#include "a.h"\n', ['vector', 'a.h']],
  ['rust', 'use std::fs;\npub(crate) use a::{b, c};\n', ['std::fs', 'a::{b, c}']],
  ['java', 'package a;\nimport java.util.List;\n', ['java.util.List']],
  ['ruby', "require 'set'\nrequire_relative 'a'\n", ['set', 'a']],
])('the imports of %s are told as the file names them', (language, text, expected) => {
  expect(importsIn(languageId(language), `a.${language}`, text)).toEqual(expected);
});

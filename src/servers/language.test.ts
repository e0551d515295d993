import { expect, test } from 'vitest';
import { documentIdOf, extensionOf, languageOf } from './language.ts';

test.each([
  ['src/app.ts', 'typescript'],
  ['src/app.TSX', 'typescript'],
  ['lib/a.mjs', 'javascript'],
  ['types.d.ts', 'typescript'],
  ['a.pyi', 'python'],
  ['a.h', 'c'],
  ['a.c++', 'cpp'],
  ['Dockerfile', 'dockerfile'],
  ['deploy/Dockerfile.prod', 'dockerfile'],
  ['dockerfile.test.ts', 'typescript'],
  ['CMakeLists.txt', 'cmake'],
  ['Gemfile', 'ruby'],
  ['.bashrc', 'shellscript'],
  ['notes.txt', undefined],
  ['LICENSE', undefined],
  ['.ts', undefined],
])('%s is %s by its name', (path, language) => {
  expect(languageOf(path)).toBe(language);
});

test.each([
  ['#!/usr/bin/env python3', 'python'],
  ['#!/usr/bin/python3.12 -u', 'python'],
  ['#!/usr/bin/env -S node --harmony', 'javascript'],
  ['#!/usr/bin/env LANG=C bash', 'shellscript'],
  ['#!/bin/sh', 'shellscript'],
  ['#! /usr/bin/ruby2.7', 'ruby'],
  ['#!/opt/unheard-of', undefined],
  ['print("no interpreter")', undefined],
  ['', undefined],
])('a file without an extension that begins %j is %s', (firstLine, language) => {
  expect(languageOf('bin/tool', firstLine)).toBe(language);
});

test('a name that says enough is believed over the first line', () => {
  expect(languageOf('run.py', '#!/bin/sh')).toBe('python');
});

test.each([
  ['a.tsx', 'typescriptreact'],
  ['a.ts', 'typescript'],
  ['a.jsx', 'javascriptreact'],
  ['a.scss', 'scss'],
  ['a.tfvars', 'terraform-vars'],
  ['a.h', 'c'],
])('%s is opened as %s', (path, id) => {
  const language = languageOf(path);
  expect(language && documentIdOf(path, language)).toBe(id);
});

test('an extension is what follows the last dot, but a hidden file has none', () => {
  expect(['a.B', 'a.tar.gz', '.hidden', 'plain', 'dir.d/plain'].map(extensionOf)).toEqual([
    'b',
    'gz',
    '',
    '',
    '',
  ]);
});

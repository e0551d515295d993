import { describe, expect, test } from 'vitest';
import { type CfgSettings, holds, printCfg, readCfg } from './cfg-predicate.ts';
import { cfgRegions } from './cfg-region.ts';
import { rustTokens } from './rust-token.ts';

function regionsIn(text: string): readonly (readonly [string, string])[] {
  return cfgRegions(rustTokens(text)).map(
    ({ start, end, predicate }) => [printCfg(predicate), text.slice(start, end)] as const,
  );
}

describe('a region is what its attribute applies to', () => {
  test.each([
    [
      'a function',
      '#[cfg(a)] pub(crate) fn f<A, B>(x: A) -> Vec<B> { g() } fn h() {}',
      'pub(crate) fn f<A, B>(x: A) -> Vec<B> { g() }',
    ],
    ['a field', 'struct S { #[cfg(a)] x: HashMap<K, V>, y: u8 }', 'x: HashMap<K, V>,'],
    ['a declaration', '#[cfg(a)] use a::{b, c}; use d;', 'use a::{b, c};'],
    [
      'further attributes and documentation',
      '#[cfg(a)] #[inline] /// text\nfn f() {} fn g() {}',
      '#[inline] /// text\nfn f() {}',
    ],
    ['a constant with a block', '#[cfg(a)] const X: T = T { a: 1 }; fn g() {}', 'const X: T = T { a: 1 };'],
    ['a constant function', '#[cfg(a)] const fn f() {} fn g() {}', 'const fn f() {}'],
    ['an arm', 'match x { #[cfg(a)] A => { 1 } B => 2 }', 'A => { 1 }'],
    ['an arm without a block', 'match x { #[cfg(a)] A => f(1, 2), B => 2 }', 'A => f(1, 2),'],
    ['a block', 'fn f() { #[cfg(a)] { 1; } 2 }', '{ 1; }'],
    ['a condition', 'fn f() { #[cfg(a)] if x { 1 } else { 2 } g(); }', 'if x { 1 } else { 2 }'],
    ['the last thing of a list', 'f(1, #[cfg(a)] g(2))', 'g(2)'],
    ['a macro', '#[cfg(a)] my_macro! { x } fn g() {}', 'my_macro! { x }'],
    [
      'an implementation',
      '#[cfg(a)] impl<T> X<{ N }> for Y<T> where T: Z { fn f() {} } fn g() {}',
      'impl<T> X<{ N }> for Y<T> where T: Z { fn f() {} }',
    ],
  ])('%s', (_, text, expected) => {
    expect(regionsIn(text)).toEqual([['a', `#[cfg(a)] ${expected}`]]);
  });

  test('an inner attribute covers the block around it, or the file', () => {
    expect(regionsIn('#![cfg(a)] fn f() {}')).toEqual([['a', '#![cfg(a)] fn f() {}']]);
    expect(regionsIn('mod m { #![cfg(a)] fn f() {} } fn g() {}')).toEqual([
      ['a', '{ #![cfg(a)] fn f() {} }'],
    ]);
  });

  test('the branches of cfg_if exclude each other', () => {
    const text = 'cfg_if! { if #[cfg(a)] { fn f() {} } else if #[cfg(b)] { fn g() {} } else { fn h() {} } }';
    expect(regionsIn(text)).toEqual([
      ['a', '#[cfg(a)] { fn f() {} }'],
      ['all(not(a), b)', '#[cfg(b)] { fn g() {} }'],
      ['all(not(a), not(b))', 'else { fn h() {} }'],
    ]);
  });

  test('what stands in strings and comments is no attribute', () => {
    expect(
      regionsIn('// #[cfg(a)]\nconst A: &str = r#"#[cfg(b)]"#; /* #[cfg(c)] /* */ */ fn f(x: &\'a str) {}'),
    ).toEqual([]);
  });

  test('a macro that stands for a condition of its own makes its content conditional', () => {
    expect(regionsIn('cfg_fs! { pub fn f() {} }')).toEqual([['cfg_fs!', 'cfg_fs! { pub fn f() {} }']]);
  });

  test('a module without a body is named', () => {
    const regions = cfgRegions(rustTokens('#[cfg(windows)]\npub(crate) mod win;\n#[cfg(a)] mod b {}'));
    expect(regions.map(({ declares }) => declares)).toEqual(['win', undefined]);
  });
});

test.each<[string, boolean | undefined]>([
  ['unix', true],
  ['windows', false],
  ['feature = "std"', true],
  ['feature = "extra"', false],
  ['not(feature = "extra")', true],
  ['all(unix, feature = "std")', true],
  ['any(windows, target_os = "macos")', false],
  ['set_elsewhere', undefined],
  ['not(set_elsewhere)', undefined],
  ['any(unix, set_elsewhere)', true],
  ['all(windows, set_elsewhere)', false],
  ['all()', true],
  ['version("1.80")', undefined],
])('cfg(%s) holds: %s', (text, expected) => {
  const settings: CfgSettings = { set: new Set(['unix', 'feature="std"']), isWhole: false };
  expect(holds(readCfg(rustTokens(text)), settings)).toBe(expected);
});

test('where all settings are known, an unknown name is off', () => {
  const settings: CfgSettings = { set: new Set(), isWhole: true };
  expect(holds(readCfg(rustTokens('not(set_elsewhere)')), settings)).toBe(true);
});

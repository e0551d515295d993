import { expect, test } from 'vitest';
import { cppProblems } from '../support/compilers/cpp-compiler.ts';

const clang = `In file included from a.cpp:1:
/usr/include/memory:93:16: error: invalid application of 'sizeof' to an incomplete type 'D'
   93 |         static_assert(sizeof(_Tp)>0,
/usr/include/memory:396:4: note: in instantiation of member function 'operator()' requested here
/w/src/a.cpp:5:4: note: in instantiation of member function '~unique_ptr' requested here
/w/src/a.h:3:8: note: forward declaration of 'D'
/w/src/a.h:7:2: error: unknown type name 'x'
`;

const gcc = `/usr/include/memory: In instantiation of 'void operator()(_Tp*) const [with _Tp = D]':
/usr/include/memory:396:17:   required from '~unique_ptr() [with _Tp = D]'
/w/src/a.cpp:5:16:   required from here
/usr/include/memory:93:23: error: invalid application of 'sizeof' to incomplete type 'D'
/w/src/a.h:7:2: error: 'x' was not declared in this scope
`;

test.each([
  ['clang', clang],
  ['gcc', gcc],
])('an error of %s in a library is at the place that asks for it', (_, output) => {
  const places = cppProblems(output, '/w', '/w/build').map(({ path, line }) => `${path}:${line}`);
  expect(places).toEqual(['src/a.cpp:5', 'src/a.h:7']);
});

test('an error in a library that no place asks for stays there', () => {
  const [problem] = cppProblems('/usr/include/memory:93:23: error: x\n', '/w', '/w');
  expect(problem?.path).toBe('../usr/include/memory');
});

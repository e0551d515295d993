import { expect, test } from 'vitest';
import { gradleFailures, jvmErrors, surefireFailures } from './jvm.ts';

/** `mvn -B -q test` with Surefire 3. */
const surefire = `[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.172 s <<< FAILURE! -- in demo.AppTest
[ERROR] demo.AppTest.twice -- Time elapsed: 0.026 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <3> but was: <2>
	at org.junit.jupiter.api.AssertionFailureBuilder.build(AssertionFailureBuilder.java:151)
	at org.junit.jupiter.api.AssertionFailureBuilder.buildAndThrow(AssertionFailureBuilder.java:132)
	at org.junit.jupiter.api.AssertEquals.failNotEqual(AssertEquals.java:197)
	at org.junit.jupiter.api.AssertEquals.assertEquals(AssertEquals.java:150)
	at org.junit.jupiter.api.AssertEquals.assertEquals(AssertEquals.java:145)
	at org.junit.jupiter.api.Assertions.assertEquals(Assertions.java:531)
	at demo.AppTest.twice(AppTest.java:6)
	at java.base/java.lang.reflect.Method.invoke(Method.java:569)
	at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
	at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)

[ERROR] demo.AppTest.throwsUp -- Time elapsed: 0.009 s <<< ERROR!
java.lang.IllegalStateException: up
	at demo.AppTest.throwsUp(AppTest.java:8)
	at java.base/java.lang.reflect.Method.invoke(Method.java:569)
	at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
	at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)

[ERROR] Failures: 
[ERROR]   AppTest.twice:6 expected: <3> but was: <2>
[ERROR] Errors: 
`;

const gradle = `
CalculatorTest > adds() FAILED
    org.opentest4j.AssertionFailedError: expected: <3> but was: <2>
        at app//CalculatorTest.adds(CalculatorTest.kt:12)

> Task :test FAILED

2 tests completed, 1 failed
`;

test('a failure of Maven is placed in the class of the test', () => {
  expect(surefireFailures(surefire)).toEqual([
    {
      file: 'demo/AppTest.java',
      line: 6,
      testName: 'demo.AppTest.twice',
      message: 'org.opentest4j.AssertionFailedError: expected: <3> but was: <2>',
    },
    {
      file: 'demo/AppTest.java',
      line: 8,
      testName: 'demo.AppTest.throwsUp',
      message: 'java.lang.IllegalStateException: up',
    },
  ]);
});

test('a failure of Gradle is a test, not the task it fails with', () => {
  expect(gradleFailures(gradle)).toEqual([
    {
      file: 'CalculatorTest.kt',
      line: 12,
      testName: 'CalculatorTest > adds()',
      message: 'org.opentest4j.AssertionFailedError: expected: <3> but was: <2>',
    },
  ]);
});

test.each([
  [
    'javac through Maven, which says it twice',
    '[ERROR] COMPILATION ERROR : \n[ERROR] /p/App.java:[2,60] cannot find symbol\n  symbol: x\n[ERROR] /p/App.java:[2,60] cannot find symbol',
    { file: '/p/App.java', line: 2, column: 60, message: 'cannot find symbol' },
  ],
  [
    'javac',
    '/p/App.java:2: error: cannot find symbol',
    { file: '/p/App.java', line: 2, column: 0, message: 'cannot find symbol' },
  ],
  [
    'kotlinc of old',
    'e: /p/App.kt: (2, 6): error: unresolved reference',
    { file: '/p/App.kt', line: 2, column: 6, message: 'unresolved reference' },
  ],
  [
    'kotlinc',
    'e: file:///p/App.kt:2:6 Unresolved reference: x',
    { file: '/p/App.kt', line: 2, column: 6, message: 'Unresolved reference: x' },
  ],
])('an error of %s is read', (_, output, error) => {
  expect(jvmErrors(output)).toEqual([error]);
});

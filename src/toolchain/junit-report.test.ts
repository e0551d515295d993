import { expect, test } from 'vitest';
import { junitFailures } from './junit-report.ts';

test.each([
  ['a case without a body', '<testcase name="a" classname="c"/>', []],
  ['a case that passed', '<testcase name="a"><system-out>failure</system-out></testcase>', []],
  [
    'a failure in character data',
    '<testcase name="a"><failure message="m"><![CDATA[x < y]]></failure></testcase>',
    ['m: x < y'],
  ],
  [
    'a failure that only has a message',
    "<testcase name='a'><error message='1 &lt; 2'/></testcase>",
    ['1 < 2: '],
  ],
  [
    'a failure that only has a text',
    '<testcase name="a"><failure>first&#10;second</failure></testcase>',
    ['first: first\nsecond'],
  ],
  ['an angle inside an attribute', '<testcase name="a > b"><failure message="m"/></testcase>', ['m: ']],
  [
    'one failure between two that passed',
    '<testcase name="a"/><testcase name="b"><error message="m"/></testcase><testcase name="c"></testcase>',
    ['m: '],
  ],
  ['half a report', '<testcase name="a"><failure message="m">cut', []],
])('%s', (_, xml, expected) => {
  expect(junitFailures(xml).map(({ message, detail }) => `${message}: ${detail}`)).toEqual(expected);
});

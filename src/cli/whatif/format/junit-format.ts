/**
 * JUnit XML: a test case for every file, branch or pair that was judged.
 *
 * Invariant: a case with an error has failed, a case that is not proved was skipped, and only a proved one has passed.
 */
import type { Annotation, ReportCase, ReportSuite } from './report.ts';
import type { ReportFormat } from './report-format.ts';
import { type XmlElement, xmlDocument } from './xml-text.ts';

export const junitFormat: ReportFormat = {
  name: 'junit',
  about: 'JUnit XML, a test case for each file, branch or pair',
  render: ({ suites }) =>
    xmlDocument({
      name: 'testsuites',
      attributes: { name: 'forerun', ...totalsOf(suites.flatMap(({ cases }) => cases)) },
      children: suites.map(suiteElement),
    }),
};

function suiteElement({ name, cases }: ReportSuite): XmlElement {
  const attributes = { name, ...totalsOf(cases), time: 0 };
  return { name: 'testsuite', attributes, children: cases.map((each) => caseElement(name, each)) };
}

type Outcome = 'failure' | 'skipped' | 'passed';

function outcomeOf({ annotations }: ReportCase): Outcome {
  if (annotations.some(({ severity }) => severity === 'error')) return 'failure';
  return annotations.some(({ severity }) => severity === 'unknown') ? 'skipped' : 'passed';
}

function totalsOf(cases: readonly ReportCase[]): Readonly<Record<string, number>> {
  const count = (outcome: Outcome) => cases.filter((each) => outcomeOf(each) === outcome).length;
  return { tests: cases.length, failures: count('failure'), errors: 0, skipped: count('skipped') };
}

function caseElement(suite: string, each: ReportCase): XmlElement {
  const outcome = outcomeOf(each);
  const attributes = { name: each.name, classname: suite, time: 0 };
  const texts = each.annotations.map(annotationText);
  const [message = ''] = texts;
  const all = texts.join('\n');
  const parts: Readonly<Record<Outcome, readonly XmlElement[]>> = {
    failure: [{ name: 'failure', attributes: { message, type: 'broken' }, text: all }],
    skipped: [{ name: 'skipped', attributes: { message: all } }],
    // Warnings fail nothing.
    passed: all === '' ? [] : [{ name: 'system-out', text: all }],
  };
  return { name: 'testcase', attributes, children: parts[outcome] };
}

function annotationText({ rule, severity, message, place }: Annotation): string {
  const { path, range } = place ?? {};
  const where = path && range ? `${path}:${range.start.line + 1}:${range.start.character + 1} ` : '';
  return `${where}${severity} ${rule}: ${message}`;
}

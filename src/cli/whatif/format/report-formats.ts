/** Every format, in the order in which the help lists them. */
import { checkstyleFormat } from './checkstyle-format.ts';
import { githubFormat } from './github-format.ts';
import { gitlabFormat } from './gitlab-format.ts';
import { humanFormat } from './human-format.ts';
import { jsonFormat } from './json-format.ts';
import { junitFormat } from './junit-format.ts';
import { markdownFormat } from './markdown-format.ts';
import { rdjsonFormat } from './rdjson-format.ts';
import type { ReportFormat } from './report-format.ts';
import { sarifFormat } from './sarif-format.ts';

export const reportFormats: readonly ReportFormat[] = [
  humanFormat,
  jsonFormat,
  sarifFormat,
  githubFormat,
  gitlabFormat,
  junitFormat,
  checkstyleFormat,
  rdjsonFormat,
  markdownFormat,
];

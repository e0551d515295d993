/** The parameters that run_build and run_tests share. */
import type { z } from 'zod';
import { whole, word } from '../parameter.ts';

interface RunParameters {
  readonly workspace_dir: z.ZodOptional<z.ZodString>;
  readonly workspace_root: z.ZodOptional<z.ZodString>;
  readonly path: z.ZodOptional<z.ZodString>;
  readonly language: z.ZodOptional<z.ZodString>;
  readonly timeout_ms: z.ZodOptional<z.ZodNumber>;
}

export const runParameters: RunParameters = {
  workspace_dir: word('Absolute path of the project, or of a directory inside it. Required.').optional(),
  workspace_root: word('The same as workspace_dir.').optional(),
  path: word('Restrict the run to this file or directory, relative to workspace_dir.').optional(),
  language: word('Language id; default: detected from the project files.').optional(),
  timeout_ms: whole('Timeout in milliseconds; 0 or absent: 600000.').optional(),
};

export const defaultTimeoutMs = 600_000;

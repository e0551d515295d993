/** Finds the test files of a source file, by the conventions of its language. */
import { z } from 'zod';
import { readText } from '../../overlay/overlay.ts';
import { languageOf } from '../../servers/language.ts';
import { testConventionOf } from '../../toolchain/toolchains.ts';
import { filePath } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { testsFor } from './tests-for.ts';

export const getTestsForFile: Tool = defineTool({
  name: 'get_tests_for_file',
  title: 'Get Tests for File',
  effect: 'reads',
  description: 'The test files of a source file, found by name, by directory and by their imports.',
  input: z.object({ file_path: filePath }),
  async handle(context, { file_path }, signal) {
    const { view, path } = await context.workspaces.locateFile(file_path, signal);
    const { workspace, overlay } = view;
    await during(`reading file ${file_path}`, () => readText(overlay, path));
    const convention = testConventionOf(languageOf(path) ?? '');
    const found = convention ? await testsFor({ workspace, source: overlay, path }, convention, signal) : [];
    const payload = {
      source_file: workspace.absolute(path),
      test_files: found.map((each) => workspace.absolute(each)),
    };
    return jsonResult(payload, found.length > 0 ? { hint: 'call run_tests with these test_files.' } : {});
  },
});

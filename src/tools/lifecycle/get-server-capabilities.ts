/** The capabilities of the language server of a file or of the workspace. */

import { z } from 'zod';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { type LanguageId, languageId } from '../../servers/language.ts';
import { detectWorkspace } from '../../servers/server-detection.ts';
import { shortVersion } from '../evaluation-payload.ts';
import { InvalidArgument } from '../failure.ts';
import { word } from '../parameter.ts';
import { skillSupport } from '../skill-support.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult } from '../tool-result.ts';
import { searchPlaces } from '../trusted-workspace.ts';
import { toolSupport } from './tool-requirement.ts';

/** `others` are all other tools, which the answer sorts into supported and unsupported ones. */
export function getServerCapabilities(others: readonly Tool[]): Tool {
  const tool: Tool = defineTool({
    name: 'get_server_capabilities',
    title: 'Get Server Capabilities',
    effect: 'reads',
    description:
      'Name, version and capabilities of the language server, and the tools and skills it supports.',
    input: z.object({
      file_path: word('Use the server of this file; absent: of the workspace.').optional(),
    }),
    async handle(context, { file_path }, signal) {
      const { view, language } = await serverOf(context, file_path, signal);
      await using lease = await view.lease(language, signal);
      const { capabilities } = lease.server;
      const { info } = capabilities;
      const has = (capability: string): boolean => capabilities.has(capability);
      const { supported, unsupported } = toolSupport([...others, tool], has);
      return jsonResult({
        ...(info.name !== undefined && { server_name: info.name }),
        ...(info.version !== undefined && { server_version: shortVersion(info.version) }),
        supported_tools: supported,
        unsupported_tools: unsupported,
        skills: ((await context.skills?.()) ?? []).map((skill) => skillSupport(skill, has)),
        capabilities: capabilities.raw,
      });
    },
  });
  return tool;
}

async function serverOf(
  context: ToolContext,
  filePath: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly view: WorkspaceView; readonly language: LanguageId }> {
  if (filePath !== undefined) {
    const { view, path } = await context.workspaces.locateFile(filePath, signal);
    return { view, language: view.languageFor(path) };
  }
  const view = context.workspaces.active;
  if (!view) throw new InvalidArgument('LSP client not initialized; call start_lsp first', 'Give file_path.');
  const [named] = context.workspaces.register.languages;
  if (named !== undefined) return { view, language: named };
  const detected = await detectWorkspace(searchPlaces(context, view), signal);
  const first = detected.installed_servers[0];
  if (!first) throw new InvalidArgument('no language server is installed for this workspace');
  return { view, language: languageId(first.language) };
}

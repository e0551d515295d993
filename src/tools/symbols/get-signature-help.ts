/** The signature of the call at a position. */
import { z } from 'zod';
import { positionOn } from '../../code/query.ts';
import { signatureHelp } from '../../lsp/feature/signature-help.ts';
import { atPlace, placeInput } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const getSignatureHelp: Tool = defineTool({
  name: 'get_signature_help',
  title: 'Get Signature Help',
  effect: 'reads',
  description: 'The parameters of the call around a position and the active one; null outside of calls.',
  input: z.object(placeInput),
  async handle(context, input, signal) {
    const help = await atPlace(context, input, signal, (query, place) =>
      during('get_signature_help', () => signatureHelp(query.lease.server, positionOn(query, place), signal)),
    );
    return jsonResult(help);
  },
});

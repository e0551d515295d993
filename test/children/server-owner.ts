/** Starts the server that its argument describes, prints the ids of the server's family and waits to be killed. */
import { silentLog } from '../../src/base/log.ts';
import { LanguageServer } from '../../src/lsp/language-server.ts';

const options = JSON.parse(process.argv[2] ?? '{}');
const server = await LanguageServer.start(options, silentLog, AbortSignal.timeout(60_000));
const { experimental } = Object(server.capabilities.raw);
console.log(JSON.stringify([server.pid, Object(experimental).grandchild]));

/**
 * Requests with parameters checked against the protocol's own types.
 *
 * Invariants: positions are sent in the columns of the server. A response is `unknown` until its feature has parsed
 * it. The protocol package is imported for its types only, so that none of it is loaded at run time.
 */
import type {
  CallHierarchyIncomingCallsRequest,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  CodeActionRequest,
  CodeActionResolveRequest,
  CompletionRequest,
  CompletionResolveRequest,
  DeclarationRequest,
  DefinitionRequest,
  DocumentFormattingRequest,
  DocumentHighlightRequest,
  DocumentRangeFormattingRequest,
  DocumentSymbolRequest,
  ExecuteCommandRequest,
  FoldingRangeRequest,
  HoverRequest,
  ImplementationRequest,
  InlayHintRequest,
  PrepareRenameRequest,
  ProtocolRequestType,
  ReferencesRequest,
  RenameRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  ServerCapabilities,
  SignatureHelpRequest,
  TextDocumentPositionParams,
  TypeDefinitionRequest,
  TypeHierarchyPrepareRequest,
  TypeHierarchySubtypesRequest,
  TypeHierarchySupertypesRequest,
  WillRenameFilesRequest,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver-protocol';
import { encodePosition } from '../../document.ts';
import type { DocumentPosition } from '../../document-position.ts';
import type { LanguageServer } from '../../language-server.ts';

type Request =
  | typeof CallHierarchyIncomingCallsRequest
  | typeof CallHierarchyOutgoingCallsRequest
  | typeof CallHierarchyPrepareRequest
  | typeof CodeActionRequest
  | typeof CodeActionResolveRequest
  | typeof CompletionRequest
  | typeof CompletionResolveRequest
  | typeof DeclarationRequest
  | typeof DefinitionRequest
  | typeof DocumentFormattingRequest
  | typeof DocumentHighlightRequest
  | typeof DocumentRangeFormattingRequest
  | typeof DocumentSymbolRequest
  | typeof ExecuteCommandRequest
  | typeof FoldingRangeRequest
  | typeof HoverRequest
  | typeof ImplementationRequest
  | typeof InlayHintRequest
  | typeof PrepareRenameRequest
  | typeof ReferencesRequest
  | typeof RenameRequest
  | typeof SemanticTokensRangeRequest
  | typeof SemanticTokensRequest
  | typeof SignatureHelpRequest
  | typeof TypeDefinitionRequest
  | typeof TypeHierarchyPrepareRequest
  | typeof TypeHierarchySubtypesRequest
  | typeof TypeHierarchySupertypesRequest
  | typeof WillRenameFilesRequest
  | typeof WorkspaceSymbolRequest;

/** The requests this client sends, by name. */
export type RequestMethod = Request['method'];

type ParamsOf<M extends RequestMethod> =
  Extract<Request, { readonly method: M }>['type'] extends ProtocolRequestType<
    infer Params,
    infer _Result,
    infer _Partial,
    infer _Error,
    infer _Options
  >
    ? Params
    : never;

/** A capability that a server announces or registers, e.g. `hoverProvider`. */
type Provider = Extract<keyof ServerCapabilities, `${string}Provider`>;

/** The requests whose parameters begin with a document and a position in it. */
type PositionMethod = {
  [M in RequestMethod]: ParamsOf<M> extends TextDocumentPositionParams ? M : never;
}[RequestMethod];

/** The parameters of such a request besides the position. */
type Extras<M extends PositionMethod> = Omit<ParamsOf<M>, keyof TextDocumentPositionParams>;

export function request<M extends RequestMethod>(
  server: LanguageServer,
  method: M,
  params: ParamsOf<M>,
  signal: AbortSignal,
): Promise<unknown> {
  return server.request(method, params, {}, signal);
}

/** Sends a request about a position; undefined if the server lacks the capability. */
export async function requestAt<M extends PositionMethod>(
  server: LanguageServer,
  {
    provider,
    method,
    extras,
  }: { readonly provider: Provider; readonly method: M; readonly extras: Extras<M> },
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<unknown> {
  if (!server.capabilities.has(provider)) return undefined;
  return server.request(method, { ...positionParams(server, at), ...extras }, {}, signal);
}

export function positionParams(
  server: LanguageServer,
  { uri, position }: DocumentPosition,
): TextDocumentPositionParams {
  return { textDocument: { uri }, position: encodePosition(server, uri, position) };
}

/** Whether a server offers an option of a capability, such as `resolveProvider` of its code actions. */
export function offers(
  { capabilities }: LanguageServer,
  {
    provider,
    method,
    option,
  }: { readonly provider: Provider; readonly method: RequestMethod; readonly option: string },
): boolean {
  const announced = [
    capabilities.raw[provider],
    ...capabilities.registrations(method).map(({ options }) => options),
  ];
  return announced.some(
    (offer) => typeof offer === 'object' && offer !== null && Reflect.get(offer, option) === true,
  );
}

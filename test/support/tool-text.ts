/** The payload of a tool's answer as the official client hands it over. */
interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

export function textOf({ content }: ToolAnswer): string {
  return content[0]?.text ?? '';
}

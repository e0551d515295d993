/** The same text with its lines ended the way those of `model` are, where that ends any. */
export function withEndingsOf(text: string, model: string): string {
  return model.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}

/**
 * The schemas that reports are validated against. That of SARIF is the published one, from a package of its editors; the
 * others are written from the public documentation of the programs that read them.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import { validateXML } from 'xmllint-wasm';

const require = createRequire(import.meta.url);
const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });

const position = {
  type: 'object',
  properties: { line: { type: 'integer', minimum: 1 }, column: { type: 'integer', minimum: 1 } },
  required: ['line'],
  additionalProperties: false,
};

/** Draft 4 but for its identifier, which the validator wants under another name. */
const { id: _, $schema: __, ...sarif } = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');

const jsonSchemas: Readonly<Record<string, object>> = {
  sarif,
  /** docs.gitlab.com, «Code Quality», «Code Quality report format». */
  gitlab: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        description: { type: 'string', minLength: 1 },
        check_name: { type: 'string', minLength: 1 },
        fingerprint: { type: 'string', minLength: 1 },
        severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
        location: {
          type: 'object',
          properties: {
            // A path that begins with ./ is not found.
            path: { type: 'string', minLength: 1, pattern: '^(?!\\./)' },
            lines: {
              type: 'object',
              properties: {
                begin: { type: 'integer', minimum: 1 },
                end: { type: 'integer', minimum: 1 },
              },
              required: ['begin'],
            },
          },
          required: ['path', 'lines'],
        },
      },
      required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    },
  },
  /** The DiagnosticResult of reviewdog's diagnostic format. */
  rdjson: {
    type: 'object',
    properties: {
      source: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      severity: { enum: ['ERROR', 'WARNING', 'INFO'] },
      diagnostics: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            message: { type: 'string' },
            severity: { enum: ['ERROR', 'WARNING', 'INFO'] },
            code: { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] },
            location: {
              type: 'object',
              properties: {
                path: { type: 'string', minLength: 1 },
                range: {
                  type: 'object',
                  properties: { start: position, end: position },
                  required: ['start'],
                  additionalProperties: false,
                },
              },
              required: ['path'],
              additionalProperties: false,
            },
          },
          required: ['message', 'location'],
          additionalProperties: false,
        },
      },
    },
    required: ['diagnostics'],
    additionalProperties: false,
  },
};

const compiled = new Map<string, ValidateFunction>();

/** Why the text is no report of this format; empty if it is one. */
export async function violations(format: string, text: string): Promise<readonly string[]> {
  const schema = jsonSchemas[format];
  if (schema === undefined) return xmlViolations(format, text);
  const validate = compiled.get(format) ?? ajv.compile(schema);
  compiled.set(format, validate);
  if (validate(JSON.parse(text))) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

async function xmlViolations(format: string, text: string): Promise<readonly string[]> {
  const schema = await readFile(new URL(`${format}.xsd`, import.meta.url), 'utf8');
  const { valid, errors } = await validateXML({ xml: text, schema });
  return valid ? [] : errors.map(({ message }) => message);
}

// An input as the model meant it. Small models send an argument in the wrong kind of JSON: null for one that is left
// out, a number or a list in quotes. Where that can mean only one thing, it is taken for it.

import { parseJson } from '../../base/parseJson.ts';
import { isJsonObject, type JsonObject, type JsonSchema } from '../../models/model.ts';

export function asMeant(input: unknown, schema: JsonSchema): unknown {
  if (!isJsonObject(input)) return input;
  const given = Object.entries(input).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, inKind(value, kindOf(propertiesOf(schema)[name]))]),
  );
}

/** The names of a tool's arguments, in a sentence. */
export function namesOfArguments(schema: JsonSchema): string {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const names = Object.keys(propertiesOf(schema)).map((name) =>
    required.includes(name) ? name : `${name} (optional)`,
  );
  return names.length === 0 ? 'It takes no arguments.' : `Its arguments are: ${names.join(', ')}.`;
}

function inKind(value: unknown, kind: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  switch (kind) {
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : value;
    case 'boolean':
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : value;
    case 'array':
    case 'object':
      return parseJson(text) ?? value;
    default:
      return value;
  }
}

function propertiesOf(schema: JsonSchema): JsonObject {
  const properties = schema['properties'];
  return isJsonObject(properties) ? properties : {};
}

function kindOf(property: unknown): unknown {
  return isJsonObject(property) ? property['type'] : undefined;
}

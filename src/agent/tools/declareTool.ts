// A tool in two halves: its declaration, which package.json repeats, and the work it does on checked input.

import * as z from 'zod/mini';
import { checkValue } from '../../models/checkValue.ts';
import type { JsonSchema } from '../../models/model.ts';
import type { Caller } from '../caller.ts';
import type { FileChange, Tool } from '../tools.ts';

interface ToolDeclaration<T> {
  readonly name: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly isUndoable?: true;
  readonly input: z.ZodMiniType<T>;
  /** Derived from `input`. */
  readonly inputSchema: JsonSchema;
}

export function declareTool<T>(parts: Omit<ToolDeclaration<T>, 'inputSchema'>): ToolDeclaration<T> {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(parts.input, {
    io: 'input',
    // An integer between -2^53 and 2^53 says nothing to a model.
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return { ...parts, inputSchema };
}

/** A text argument that may not be empty. */
export function filledText(description: string): z.ZodMiniString {
  return z.string().check(z.minLength(1), z.describe(description));
}

/** The tool that does `work` for a declaration. Input that does not fit is refused with what is wrong in it. */
export function implementTool<T>(
  declaration: ToolDeclaration<T>,
  work: (input: T, signal: AbortSignal, caller: Caller | undefined) => Promise<string>,
): Tool {
  const { name, description, readOnly, isUndoable, inputSchema } = declaration;
  return {
    name,
    description,
    readOnly,
    ...(isUndoable ? { isUndoable } : {}),
    inputSchema,
    async run(input, signal, caller) {
      const checked = checkedInput(declaration, input);
      signal.throwIfAborted();
      // A cut may fall inside a surrogate pair, and a model API refuses half a character.
      return (await work(checked, signal, caller)).toWellFormed();
    },
  };
}

/** The same, of a tool that can show beforehand what it would do to a file. */
export function implementFileTool<T>(
  declaration: ToolDeclaration<T>,
  plan: (input: T, signal: AbortSignal, caller: Caller | undefined) => Promise<FileChange>,
  work: (input: T, signal: AbortSignal, caller: Caller | undefined) => Promise<string>,
): Tool {
  return {
    ...implementTool(declaration, work),
    preview: async (input, signal, caller) =>
      plan(checkedInput(declaration, input), signal, caller),
  };
}

/** Throws what is wrong in an input. */
export function checkedInput<T>({ name, input: schema }: ToolDeclaration<T>, input: unknown): T {
  const checked = checkValue(schema, withoutNulls(input));
  if (!checked.ok) throw new Error(`Invalid input for ${name}: ${checked.problem}`);
  return checked.value;
}

/** Some models send null for an argument they leave out. */
function withoutNulls(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

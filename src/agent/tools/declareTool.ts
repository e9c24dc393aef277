// A tool in two halves: its declaration, which package.json repeats, and the work it does on checked input.

import * as z from 'zod/mini';
import { checkValue } from '../../models/checkValue.ts';
import type { JsonSchema } from '../../models/model.ts';
import type { Caller } from '../caller.ts';
import type { FileChange, Tool } from '../tools.ts';
import { asMeant, namesOfArguments } from './givenInput.ts';
import { cutLine } from '../../base/lines.ts';

/** What is wrong repeats what was sent, which can be a whole file under a name that is not one. */
const MAX_PROBLEM_CHARS = 2_000;

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
export function checkedInput<T>(declaration: ToolDeclaration<T>, input: unknown): T {
  const { name, input: schema, inputSchema } = declaration;
  const checked = checkValue(schema, asMeant(input, inputSchema));
  if (checked.ok) return checked.value;
  const problem = cutLine(checked.problem, MAX_PROBLEM_CHARS);
  throw new Error(`Invalid input for ${name}: ${problem}\n${namesOfArguments(inputSchema)}`);
}

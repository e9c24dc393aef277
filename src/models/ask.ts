// One question, one answer: JSON that fits a schema. For side questions, which must never end a turn: every
// failure is a value with a named problem, and only the caller's own abort is thrown.

import * as z from 'zod/mini';
import { sentence, sentenceOf, type Said } from '../base/sentence.ts';
import { checkValue } from './checkValue.ts';
import { jsonCandidates } from './jsonInText.ts';
import {
  ModelError,
  messageText,
  userText,
  type JsonSchema,
  type Message,
  type Model,
} from './model.ts';

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  /** `error` is there when the model failed rather than answered badly. */
  | {
      readonly ok: false;
      readonly problem: Said;
      readonly error?: ModelError;
      /** It was longer than it might be, and would be so again. */
      readonly isCut?: true;
    };

interface Question<T> {
  readonly model: Model;
  readonly system: string;
  readonly prompt: string;
  readonly maxOutputTokens: number;
  /** An object at the top: structured output takes nothing else. */
  readonly schema: z.ZodMiniType<T>;
}

/** Enough to name what is wrong; a long list of issues would cost more than it teaches. */
const MAX_PROBLEM_LENGTH = 800;

/** Asks for JSON. An answer that does not fit is sent back once, with what was wrong with it. */
export async function ask<T>(options: Question<T>, signal: AbortSignal): Promise<Answer<T>> {
  const outputSchema = outputSchemaOf(options.schema);
  const system = options.model.structuredOutput
    ? options.system
    : `${options.system}\n\n${shapeInstruction(outputSchema)}`;
  const question = { ...options, system };

  const first = await replyText(question, [userText(options.prompt)], outputSchema, signal);
  if (!first.ok) return first;
  const parsed = parseAnswer(first.value, options.schema);
  if (parsed.ok) return parsed;

  const repair = repairMessages(options.prompt, first.value, String(parsed.problem));
  const second = await replyText(question, repair, outputSchema, signal);
  if (!second.ok) return second;
  return parseAnswer(second.value, options.schema);
}

async function replyText(
  question: Omit<Question<unknown>, 'schema'>,
  messages: readonly Message[],
  outputSchema: JsonSchema,
  signal: AbortSignal,
): Promise<Answer<string>> {
  const { model, system, maxOutputTokens } = question;
  const request = { system, messages, tools: [], maxOutputTokens, outputSchema };
  try {
    throwIfCancelled(signal);
    for await (const event of model.stream(request, signal)) {
      throwIfCancelled(signal);
      if (event.type !== 'end') continue;
      if (event.stopReason === 'max_tokens') {
        const problem = sentence`The answer was cut at ${maxOutputTokens} output tokens.`;
        return { ok: false, problem, isCut: true };
      }
      return { ok: true, value: messageText(event.message).trim() };
    }
    return { ok: false, problem: sentence`The model ended without an answer.` };
  } catch (error) {
    throwIfCancelled(signal, error);
    if (!(error instanceof ModelError)) return { ok: false, problem: sentenceOf(error) };
    const said = sentenceOf(error);
    const problem = error.kind === 'refused' ? sentence`The model refused: ${said}` : said;
    return { ok: false, problem, error };
  }
}

function parseAnswer<T>(text: string, schema: z.ZodMiniType<T>): Answer<T> {
  let problem: string | undefined;
  for (const candidate of jsonCandidates(text)) {
    const checked = checkValue(schema, candidate);
    if (checked.ok) return checked;
    // The first candidate is the likeliest, so its faults are the ones worth telling.
    problem ??= checked.problem.slice(0, MAX_PROBLEM_LENGTH);
  }
  const none =
    text === '' ? sentence`The answer was empty.` : sentence`There was no JSON in the answer.`;
  return { ok: false, problem: problem ?? none };
}

function outputSchemaOf(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _dialect, ...outputSchema } = z.toJSONSchema(schema, {
    // What the model writes is the input: a default it may leave out, a transform runs afterwards.
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.properties) jsonSchema.additionalProperties = false;
    },
  });
  return outputSchema;
}

function shapeInstruction(outputSchema: JsonSchema): string {
  return `Answer with one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(outputSchema)}`;
}

function repairMessages(prompt: string, answer: string, problem: string): readonly Message[] {
  const correction = `That answer cannot be used:\n${problem}\nAnswer again with only the corrected JSON.`;
  // An assistant message must not be empty, so a blank answer is told of in one user message instead.
  if (answer === '')
    return [userText(`${prompt}\n\n(Your last answer was empty. Answer with JSON.)`)];
  return [
    userText(prompt),
    { role: 'assistant', content: [{ type: 'text', text: answer }] },
    userText(correction),
  ];
}

function throwIfCancelled(signal: AbortSignal, cause?: unknown): void {
  if (signal.aborted) throw new ModelError('cancelled', 'Cancelled.', { cause });
}

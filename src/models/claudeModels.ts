// What is known of a Claude model: from the models endpoint, or from a short list when that cannot be asked.

import * as z from 'zod/mini';

export interface ClaudeModelInfo {
  readonly id: string;
  readonly name: string;
  /** In tokens. */
  readonly limits: { readonly input: number; readonly output: number };
  readonly structuredOutput: boolean;
  readonly seesImages: boolean;
  /** `adaptive` when the model decides by itself how much to think. */
  readonly thinking: 'adaptive' | 'off';
  /**
   * What to send so that it answers without thinking, which newer models do unasked. `unneeded`: it thinks only when it
   * is asked to. `impossible`: it thinks whatever is sent, or nothing is known of it.
   */
  readonly thinkingOff: 'disabled' | 'between_tools' | 'unneeded' | 'impossible';
}

/**
 * The compactor keeps the output limit free in the window, so a model that could write 128,000 tokens would
 * leave little room to read. No answer of an agent is longer than this.
 */
const MAX_OUTPUT = 32_000;
const USUAL_INPUT = 200_000;

/** For when the endpoint cannot be asked. Best model first. Claims only what every server honours. */
export const FALLBACK_MODELS: readonly ClaudeModelInfo[] = [
  fallback('claude-opus-5-5', 'Claude Opus 5.5'),
  fallback('claude-sonnet-5-5', 'Claude Sonnet 5.5'),
  fallback('claude-haiku-5-5', 'Claude Haiku 5.5'),
];

/** For the agent when the person left the choice to us: the newest of the line made for daily coding. */
export function agentModel(models: readonly ClaudeModelInfo[]): ClaudeModelInfo | undefined {
  return newestOf('sonnet', models) ?? newestOf('opus', models) ?? models[0];
}

/** For side questions: the newest of the smallest line that is there. `undefined` for an empty list. */
export function cheapestModel(models: readonly ClaudeModelInfo[]): ClaudeModelInfo | undefined {
  return newestOf('haiku', models) ?? newestOf('sonnet', models) ?? models.at(-1);
}

/** Lists have the newest of a line first. */
function newestOf(line: string, models: readonly ClaudeModelInfo[]): ClaudeModelInfo | undefined {
  return models.find((model) => model.id.includes(line));
}

const supported = z.optional(z.nullable(z.object({ supported: z.boolean() })));
const thinkingTypes = z.object({
  adaptive: supported,
  disabled: supported,
  between_tools: supported,
});
const entrySchema = z.object({
  id: z.string(),
  display_name: z.optional(z.nullable(z.string())),
  lifecycle: z.optional(z.nullable(z.string())),
  max_input_tokens: z.optional(z.nullable(z.number())),
  max_tokens: z.optional(z.nullable(z.number())),
  capabilities: z.optional(
    z.nullable(
      z.object({
        structured_outputs: supported,
        image_input: supported,
        thinking: z.optional(z.nullable(z.object({ types: thinkingTypes }))),
      }),
    ),
  ),
});

/** An entry of the endpoint, or undefined when it is retired or no model. Compatible servers fill in little. */
export function claudeModelInfo(entry: unknown): ClaudeModelInfo | undefined {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success || parsed.data.lifecycle === 'retired') return undefined;
  const { id, display_name, max_input_tokens, max_tokens, capabilities } = parsed.data;
  const types = capabilities?.thinking?.types;
  return {
    id,
    name: display_name || id,
    limits: {
      input: max_input_tokens || USUAL_INPUT,
      output: Math.min(max_tokens || MAX_OUTPUT, MAX_OUTPUT),
    },
    structuredOutput: capabilities?.structured_outputs?.supported ?? false,
    seesImages: capabilities?.image_input?.supported ?? isSeeing(id),
    thinking: types?.adaptive?.supported ? 'adaptive' : 'off',
    thinkingOff: thinkingOff(types),
  };
}

function thinkingOff(
  types: z.infer<typeof thinkingTypes> | undefined,
): ClaudeModelInfo['thinkingOff'] {
  if (!types) return 'impossible';
  if (!types.adaptive?.supported) return 'unneeded';
  if (types.disabled?.supported) return 'disabled';
  return types.between_tools?.supported ? 'between_tools' : 'impossible';
}

/** Local servers do not tell, but most models that see say so in their names. One that is wrong loses the image. */
const SEEING = /^claude|vision|llava|pixtral|moondream|minicpm-v|[-\d]vl\b|gemma-?[3-9]/i;

/** What is to be thought of a model of which a server tells nothing. */
export function isSeeing(id: string): boolean {
  return SEEING.test(id);
}

function fallback(id: string, name: string): ClaudeModelInfo {
  const limits = { input: USUAL_INPUT, output: MAX_OUTPUT };
  const thinking = { thinking: 'off', thinkingOff: 'impossible' } as const;
  return { id, name, limits, structuredOutput: false, seesImages: true, ...thinking };
}

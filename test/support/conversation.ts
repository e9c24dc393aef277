// Builders for messages and tools in tests.

import type { Tool } from '../../src/agent/tools.ts';
import type { AssistantMessage, ToolUseBlock, UserMessage } from '../../src/models/model.ts';

export function call(id: string, name: string, input: Record<string, unknown> = {}): ToolUseBlock {
  return { type: 'tool_use', id, name, input };
}

export function calls(...blocks: ToolUseBlock[]): AssistantMessage {
  return { role: 'assistant', content: blocks };
}

export function says(text: string): AssistantMessage {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

export function results(...pairs: (readonly [id: string, text: string])[]): UserMessage {
  return {
    role: 'user',
    content: pairs.map(([id, text]) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: [{ type: 'text', text }],
      is_error: false,
    })),
  };
}

export function fakeTool(
  name: string,
  run: Tool['run'],
  options: { readOnly?: boolean } = {},
): Tool {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object' },
    readOnly: options.readOnly ?? false,
    run,
  };
}

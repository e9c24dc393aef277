// Messages of ours as VS Code's chat models take them, and VS Code's as ours.
// Roles alternate in what comes out, and no text is empty; what one side cannot hold becomes a text or is left out.

import * as vscode from 'vscode';
import { alternating } from '../../context/transcript.ts';
import { IMAGE_TYPES } from '../../models/claudeMessages.ts';
import {
  isJsonObject,
  type AssistantBlock,
  type ImageBlock,
  type JsonObject,
  type Message,
  type TextBlock,
  type ToolDefinition,
  type ToolResultBlock,
  type ToolUseBlock,
  type UserBlock,
  type UserMessage,
} from '../../models/model.ts';
import { withNewestImages } from '../../models/sentImages.ts';
import { wellFormed } from '../../models/wellFormed.ts';

const IMAGE_NOTE = '[An image stands here that cannot be passed on to this model.]';

/** An image as VS Code passes it on, or undefined when it cannot be. */
type ImagePart = (image: ImageBlock) => object | undefined;

/** There is no system role in the stable API, so `system` leads the first user message. */
export function toChatMessages(
  system: string,
  messages: readonly Message[],
  imagePart: ImagePart,
): vscode.LanguageModelChatMessage[] {
  const first: Message = { role: 'user', content: [{ type: 'text', text: system }] };
  // Thinking goes first: a message of nothing else must not part two messages of the other role.
  const sendable = wellFormed([first, ...withNewestImages(messages)].map(withoutUnsendable));
  return alternating(sendable.filter((message) => message.content.length > 0)).map((message) =>
    message.role === 'user'
      ? userMessage(message, imagePart)
      : vscode.LanguageModelChatMessage.Assistant(message.content.flatMap(assistantPart)),
  );
}

export function toChatTools(tools: readonly ToolDefinition[]): vscode.LanguageModelChatTool[] {
  return wellFormed(
    tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  );
}

/** System messages are joined; everything else keeps its order. */
export function fromChatMessages(messages: readonly vscode.LanguageModelChatRequestMessage[]): {
  readonly system: string;
  readonly messages: readonly Message[];
} {
  const system: string[] = [];
  const converted: Message[] = [];
  for (const { role, content } of messages) {
    switch (role) {
      case vscode.LanguageModelChatMessageRole.User:
        converted.push({ role: 'user', content: content.flatMap(userBlock) });
        break;
      case vscode.LanguageModelChatMessageRole.Assistant:
        converted.push({ role: 'assistant', content: content.flatMap(assistantBlock) });
        break;
      // The system role is not in the stable API, but VS Code's own chat sends it.
      default:
        system.push(...content.flatMap(textBlock).map((block) => block.text));
    }
  }
  return {
    system: system.join('\n\n'),
    messages: alternating(converted.filter((message) => message.content.length > 0)),
  };
}

export function fromChatTools(
  tools: readonly vscode.LanguageModelChatTool[] | undefined,
): ToolDefinition[] {
  return (tools ?? []).map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: { type: 'object', properties: {}, ...inputSchema },
  }));
}

/** `{}` for what is no JSON object: a tool says best what is missing in its input. */
export function jsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** All the words of a request message, as a tokenizer would see them. */
export function chatMessageText(message: vscode.LanguageModelChatRequestMessage): string {
  return message.content.map(partText).join('\n');
}

function withoutUnsendable(message: Message): Message {
  return message.role === 'user'
    ? { role: 'user', content: message.content.filter(isSendable) }
    : { role: 'assistant', content: message.content.filter(isSendable) };
}

function isSendable(block: UserBlock | AssistantBlock): boolean {
  switch (block.type) {
    case 'text':
    case 'context':
    case 'attachment':
      return block.text.trim() !== '';
    case 'thinking':
    case 'redacted_thinking':
      return false;
    case 'image':
    case 'tool_use':
    case 'tool_result':
      return true;
  }
}

function userMessage(
  { content }: UserMessage,
  imagePart: ImagePart,
): vscode.LanguageModelChatMessage {
  const message = vscode.LanguageModelChatMessage.User('');
  // The types of the oldest VS Code we run in know no images in a message.
  return Object.assign(message, { content: content.map((block) => userPart(block, imagePart)) });
}

function userPart(block: UserBlock, imagePart: ImagePart): object {
  switch (block.type) {
    case 'text':
    case 'context':
    case 'attachment':
    case 'image':
      return plainPart(block, imagePart);
    case 'tool_result':
      return new vscode.LanguageModelToolResultPart(
        block.tool_use_id,
        resultParts(block, imagePart),
      );
  }
}

/** Results have no mark for failure here, so the text says it. */
function resultParts({ content, is_error }: ToolResultBlock, imagePart: ImagePart): object[] {
  const failed = is_error ? [new vscode.LanguageModelTextPart('The call failed: ')] : [];
  return [...failed, ...content.map((part) => plainPart(part, imagePart))];
}

function plainPart(block: Exclude<UserBlock, ToolResultBlock>, imagePart: ImagePart): object {
  if (block.type !== 'image') return new vscode.LanguageModelTextPart(block.text);
  return imagePart(block) ?? new vscode.LanguageModelTextPart(IMAGE_NOTE);
}

function assistantPart(
  block: AssistantBlock,
): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] {
  switch (block.type) {
    case 'text':
      return [new vscode.LanguageModelTextPart(block.text)];
    case 'tool_use':
      return [new vscode.LanguageModelToolCallPart(block.id, block.name, block.input)];
    case 'thinking':
    case 'redacted_thinking':
      return [];
  }
}

function userBlock(part: unknown): UserBlock[] {
  if (!(part instanceof vscode.LanguageModelToolResultPart)) {
    return [...textBlock(part), ...imageBlock(part)];
  }
  const content = part.content.flatMap((inner) => [...textBlock(inner), ...imageBlock(inner)]);
  const filled = content.length > 0 ? content : [{ type: 'text', text: '(no output)' } as const];
  return [{ type: 'tool_result', tool_use_id: part.callId, content: filled, is_error: false }];
}

function assistantBlock(part: unknown): (TextBlock | ToolUseBlock)[] {
  if (!(part instanceof vscode.LanguageModelToolCallPart)) return textBlock(part);
  const { callId, name, input } = part;
  return [{ type: 'tool_use', id: callId, name, input: jsonObject(input) }];
}

function textBlock(part: unknown): TextBlock[] {
  const text = partText(part);
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function partText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  // A tree that only its own library can render; as JSON its words are at least there.
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return `${part.name} ${JSON.stringify(part.input)}`;
  }
  if (part instanceof vscode.LanguageModelToolResultPart)
    return part.content.map(partText).join('\n');
  return '';
}

/** Known by its shape: the class for images came after the oldest VS Code we run in. */
function imageBlock(part: unknown): ImageBlock[] {
  if (typeof part !== 'object' || part === null) return [];
  if (!('mimeType' in part && 'data' in part && part.data instanceof Uint8Array)) return [];
  const type = IMAGE_TYPES.find((type) => type === part.mimeType);
  if (type === undefined) return [];
  const data = Buffer.from(part.data).toString('base64');
  return [{ type: 'image', source: { type: 'base64', media_type: type, data } }];
}

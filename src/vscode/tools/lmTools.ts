// The agent's tools as VS Code's language-model tools, and called through VS Code, so that progress, confirmation
// and "Allow in this Session" are its own. A call that was not allowed is a failed one, not a result.

import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Caller } from '../../agent/caller.ts';
import { DECLINED_RESULT, type Tool } from '../../agent/tools.ts';
import { InOrder } from '../../base/inOrder.ts';
import { errorText, type Log } from '../../base/log.ts';
import { TOOL_PREFIX } from '../../manifest.ts';
import type { JsonObject } from '../../models/model.ts';
import { jsonObject } from '../models/lmMessages.ts';
import { readConfirmCommands } from '../host/settings.ts';
import { abortSignalOf, cancellationTokenOf } from '../host/signals.ts';
import { confirmationMessages, invocationMessage } from './toolCallWords.ts';

/**
 * What a stopped tool gets to end what it runs and to tell how far it came: enough to end a command that will not end.
 * VS Code drops a turn's result 1,000 ms after Stop, and the turn still has to be saved in what is left.
 */
const STOP_GRACE_MS = 800;

const UNTRUSTED =
  'Not run: the person has not trusted this workspace, so nothing may be changed in it.';

/** `load` makes the tools of these names when one is first called. Disposing ends what still runs. */
export function registerLmTools(
  names: readonly string[],
  load: () => Promise<readonly Tool[]>,
  log: Log,
): vscode.Disposable {
  const stop = new AbortController();
  const loaded = async (name: string) => {
    const tool = (await load()).find((each) => each.name === name);
    if (tool) return tool;
    throw new Error(`There is no tool ${name}.`);
  };
  return vscode.Disposable.from(
    ...names.map((name) =>
      vscode.lm.registerTool(
        TOOL_PREFIX + name,
        lmTool({ name, load: () => loaded(name) }, log, stop.signal),
      ),
    ),
    { dispose: () => stop.abort() },
  );
}

/** From a chat request. Outside of one it is undefined, and VS Code asks in a dialog. */
type InvocationToken = vscode.LanguageModelToolInvocationOptions<object>['toolInvocationToken'];

/** The same tools, run by VS Code as part of the chat request that `token` came with. */
export function invokableTools(tools: readonly Tool[], token: InvocationToken): readonly Tool[] {
  return tools.map(({ name, description, inputSchema, readOnly }) => {
    const line = new InOrder();
    return {
      name,
      description,
      inputSchema,
      readOnly,
      run: (input, signal, caller) => {
        const invocation = { name, input: jsonObject(input), caller };
        return readOnly
          ? invoke(invocation, token, signal)
          : invokeInLine(line, invocation, token, signal);
      },
    };
  });
}

/**
 * Calls handed to VS Code that have not come back. VS Code answers a skipped call with an ordinary result, whose
 * words are for another agent; only the tool itself knows that it never ran. One list, as VS Code has one.
 */
const pending = new Set<PendingCall>();

interface PendingCall {
  readonly name: string;
  /** As JSON, the form in which the input comes back. */
  readonly input: string;
  readonly caller: Caller | undefined;
  readonly onRun: () => void;
  /** What the tool will have told, once it has begun to run. */
  running?: Promise<string>;
  /** Why the call would fail. The person was not asked then, so it must not run either. */
  refusal?: Error;
}

interface Invocation {
  readonly name: string;
  readonly input: JsonObject;
  readonly caller: Caller | undefined;
}

/**
 * Two tasks of a turn may make the same call at once, and VS Code does not say which of them it asks about. So it is
 * given the next one when the one before has begun to run or was declined.
 */
async function invokeInLine(
  line: InOrder,
  invocation: Invocation,
  toolInvocationToken: InvocationToken,
  signal: AbortSignal,
): Promise<string> {
  const { result } = await line.run(async () => {
    signal.throwIfAborted();
    const begun = Promise.withResolvers<void>();
    const running = invoke(invocation, toolInvocationToken, signal, begun.resolve);
    await Promise.race([begun.promise, running]);
    return { result: running };
  });
  return result;
}

async function invoke(
  { name, input, caller }: Invocation,
  toolInvocationToken: InvocationToken,
  signal: AbortSignal,
  onRun: () => void = () => undefined,
): Promise<string> {
  const call: PendingCall = { name, input: JSON.stringify(input), caller, onRun };
  const { token, dispose } = cancellationTokenOf(signal);
  pending.add(call);
  try {
    const options = { input, toolInvocationToken };
    const result = await vscode.lm.invokeTool(TOOL_PREFIX + name, options, token);
    if (!call.running) throw new Error(DECLINED_RESULT);
    return resultText(result);
  } catch (error) {
    // VS Code lets go of a stopped call at once, though what its tool has done by then is worth knowing.
    const text = signal.aborted ? await lastWords(call.running) : undefined;
    if (text === undefined) throw error;
    return text;
  } finally {
    pending.delete(call);
    dispose();
  }
}

/** Undefined when none come in time. */
async function lastWords(running: Promise<string> | undefined): Promise<string | undefined> {
  return running && Promise.race([running, sleep(STOP_GRACE_MS, undefined)]);
}

interface NamedTool {
  readonly name: string;
  readonly load: () => Promise<Tool>;
}

function lmTool(
  { name, load }: NamedTool,
  log: Log,
  stopped: AbortSignal,
): vscode.LanguageModelTool<object> {
  return {
    async prepareInvocation({ input }, token) {
      // By its very input: another agent's call that is taken for one of ours would not be asked about.
      const call = sameCall(waitingCalls(name), input);
      const tool = await load();
      const shown = jsonObject(input);
      const message = { invocationMessage: invocationMessage(tool, shown, call?.caller) };
      if (tool.readOnly || tool.isUndoable || (await runsUnasked(tool, input))) return message;
      const { signal, dispose } = abortSignalOf(token);
      try {
        const caller = call?.caller;
        const change = await tool.preview?.(input, signal, caller);
        return {
          ...message,
          confirmationMessages: confirmationMessages(tool, shown, { change, caller }),
        };
      } catch (error) {
        if (!call) return { ...message, confirmationMessages: confirmationMessages(tool, shown) };
        // What is refused in any case is not asked about.
        call.refusal = new Error(errorText(error), { cause: error });
        return message;
      } finally {
        dispose();
      }
    },
    async invoke({ input }, token) {
      const call = begunCall(name, input);
      const { signal, dispose } = abortSignalOf(token);
      const running = load().then((tool) =>
        run(tool, input, AbortSignal.any([signal, stopped]), call),
      );
      if (call) {
        call.running = running;
        call.onRun();
      }
      try {
        const text = await running;
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      } catch (error) {
        log.debug(`[tools] ${name}: ${errorText(error)}`);
        // Only the message is sure to reach the caller, so it takes the cause in.
        throw new Error(errorText(error), { cause: error });
      } finally {
        dispose();
      }
    },
  };
}

async function run(
  tool: Tool,
  input: object,
  signal: AbortSignal,
  call: PendingCall | undefined,
): Promise<string> {
  if (call?.refusal) throw call.refusal;
  // Other agents reach our tools too.
  if (!tool.readOnly && !vscode.workspace.isTrusted) throw new Error(UNTRUSTED);
  return tool.run(input, signal, call?.caller);
}

/** The input may differ from what was sent: VS Code can let the person edit it. */
function begunCall(name: string, input: object): PendingCall | undefined {
  const waiting = waitingCalls(name);
  return sameCall(waiting, input) ?? waiting[0];
}

function sameCall(calls: readonly PendingCall[], input: object): PendingCall | undefined {
  const json = JSON.stringify(input);
  return calls.find((call) => call.input === json);
}

function waitingCalls(name: string): readonly PendingCall[] {
  return [...pending].filter((call) => call.name === name && !call.running);
}

/** A shell command that only reads, where the person wants to be asked about the others only. */
async function runsUnasked(tool: Tool, input: object): Promise<boolean> {
  return readConfirmCommands() === 'unlessReadOnly' && (await tool.onlyReads?.(input)) === true;
}

function resultText(result: vscode.LanguageModelToolResult): string {
  return result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
}

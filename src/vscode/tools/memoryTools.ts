// memoryRecall and memorySave: the two tools that every other agent of the editor may use. What is saved, and in review
// what is given away, is exactly what VS Code's own confirmation showed.

import * as vscode from 'vscode';
import type { Learned } from '../../agent/learning/learned.ts';
import {
  findForOthers,
  type FoundForOthers,
  type RecallAccess,
} from '../../agent/otherAgents/findForOthers.ts';
import {
  carryOut,
  planSave,
  type SaveAccess,
  type SavePlan,
} from '../../agent/otherAgents/saveForOthers.ts';
import { errorText } from '../../base/log.ts';
import { MEMORY_TOOLS } from '../../manifest.ts';
import { SecretError } from '../../memory/change.ts';
import { jsonObject } from '../models/lmMessages.ts';
import { giveQuestion, lookingUp, saveQuestion, saving } from './memoryToolWords.ts';
import { PreparedCalls } from './preparedCalls.ts';

interface MemoryToolsDeps extends RecallAccess, SaveAccess {
  /** Tells the person what was saved or proposed, or why nothing was. */
  readonly tell: (learned: Partial<Learned>) => void;
}

export function registerMemoryTools(deps: MemoryToolsDeps): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.lm.registerTool(MEMORY_TOOLS.recall, recallTool(deps)),
    vscode.lm.registerTool(MEMORY_TOOLS.save, saveTool(deps)),
  );
}

export function recallTool(deps: MemoryToolsDeps): vscode.LanguageModelTool<object> {
  const asked = new PreparedCalls<FoundForOthers | Error>();
  return {
    async prepareInvocation({ input }) {
      const invocationMessage = lookingUp(jsonObject(input));
      if (deps.recall() !== 'review') return { invocationMessage };
      const found = await unlessRefused(() => findForOthers(input, deps));
      asked.keep(input, found);
      if (found instanceof Error || found.records.length === 0) return { invocationMessage };
      return { invocationMessage, confirmationMessages: giveQuestion(found) };
    },
    async invoke({ input }) {
      const shown = asked.take(input);
      const found = deps.recall() === 'review' ? shown : await findForOthers(input, deps);
      if (!found) throw new Error(NOT_SHOWN);
      if (found instanceof Error) throw found;
      deps.log.info(`[tools] another agent was given ${found.records.length} memories`);
      return result(found.text);
    },
  };
}

const NOT_SHOWN =
  'Nothing was looked up: the user reviews which memories are given, and has not seen those. Call again.';

export function saveTool(deps: MemoryToolsDeps): vscode.LanguageModelTool<object> {
  const planned = new PreparedCalls<SavePlan | Error>();
  return {
    async prepareInvocation({ input }) {
      const plan = await unlessRefused(() => planSave(input, deps));
      // What is not asked about must not be saved by the call either, whatever has changed by then.
      planned.keep(input, plan);
      const invocationMessage = saving(jsonObject(input));
      if (plan instanceof Error || plan.kind !== 'save') return { invocationMessage };
      const scopes = deps.memory()?.scopes;
      return { invocationMessage, confirmationMessages: saveQuestion(plan, scopes) };
    },
    async invoke({ input }, token) {
      try {
        // With another input it is the person who wrote it.
        const plan = planned.take(input) ?? (await planSave(input, deps));
        if (plan instanceof Error) throw plan;
        if (token.isCancellationRequested) throw new vscode.CancellationError();
        const { text, learned } = await carryOut(plan, deps);
        deps.tell(learned);
        return result(text);
      } catch (error) {
        if (error instanceof SecretError) deps.tell({ refusedSecrets: [error.rule] });
        // Only the message is sure to reach the caller, so it takes the cause in.
        throw new Error(errorText(error), { cause: error });
      }
    },
  };
}

/** The call itself tells its caller why it is refused. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | Error> {
  try {
    return await work();
  } catch (error) {
    return error instanceof Error ? error : new Error(errorText(error));
  }
}

function result(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([
    new vscode.LanguageModelTextPart(text.toWellFormed()),
  ]);
}

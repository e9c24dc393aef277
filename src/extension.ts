// Builds all long-lived objects, in the order of the import rule, and registers all features; nothing else.

import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { together } from './agent/learning/learned.ts';
import type { MemoryAccess } from './agent/tools/memoryAccess.ts';
import { errorText } from './base/log.ts';
import { killAllShells } from './base/shell.ts';
import { AGENT_TOOLS } from './manifest.ts';
import type { ImportPlaces } from './memory/exchange/importSources.ts';
import type { Scope } from './memory/scopes.ts';
import { SESSIONS_FILE, SessionStore } from './sessions/sessionStore.ts';
import { allowedTools } from './vscode/tools/allowedTools.ts';
import { Archives, workspaceStorage } from './vscode/sessions/archives.ts';
import { promptForApiKey } from './vscode/models/apiKeyPrompt.ts';
import { createClaudeCatalogue } from './vscode/models/claudeCatalogue.ts';
import { registerCommands } from './vscode/commands.ts';
import { compactInChat } from './vscode/chat/compactInChat.ts';
import { tryInChat } from './vscode/chat/tryInChat.ts';
import { consolidate } from './vscode/consolidation/consolidateCommand.ts';
import { deleteSessions } from './vscode/sessions/deleteSessions.ts';
import { editorWorkspace, workspaceFolderPaths } from './vscode/tools/editorWorkspace.ts';
import { registerExpiry } from './vscode/upkeep/expiryUpkeep.ts';
import { lateCode } from './vscode/host/lateCode.ts';
import { registerLmTools } from './vscode/tools/lmTools.ts';
import { registerMemoryTools } from './vscode/tools/memoryTools.ts';
import { memoryCommands } from './vscode/memoryCommands.ts';
import {
  chooseModel,
  chooseModelOutsideChat,
  chooseModelUnasked,
  type ModelChoice,
} from './vscode/models/modelChoice.ts';
import { registerModelProvider, resolveOwnModels } from './vscode/models/modelProvider.ts';
import { registerParticipant } from './vscode/chat/participant.ts';
import { registerModelReadiness } from './vscode/models/modelReadiness.ts';
import { registerSettingProblems } from './vscode/notices/settingProblems.ts';
import { StartProgress } from './vscode/host/startProgress.ts';
import { registerReports } from './vscode/upkeep/reportView.ts';
import { registerSessionUpkeep } from './vscode/sessions/sessionUpkeep.ts';
import { tellSessionProblem } from './vscode/sessions/sessionWarnings.ts';
import {
  ApiKey,
  onDidChangeSettings,
  personalExpiryDays,
  readBaseUrl,
  readSessionLimits,
  readSettings,
  readWindowSettings,
} from './vscode/host/settings.ts';
import { WorkspaceMemory } from './vscode/workspaceMemory.ts';
import { errorSentence } from './vscode/text/sentenceText.ts';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Memory Agent', { log: true });
  context.subscriptions.push(log);
  try {
    start(context, log);
  } catch (error) {
    log.error(`[activation] ${errorText(error)}`);
    const message = vscode.l10n.t('Memory Agent could not start: {0}', errorSentence(error));
    void vscode.window.showErrorMessage(message);
    throw error;
  }
}

/** The window closes or reloads: no command of the agent may outlive it. */
export function deactivate(): void {
  killAllShells();
}

function start(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): void {
  const [folder] = workspaceFolderPaths();
  const archives = new Archives(folder, context);
  const sessions = new SessionStore({
    file: vscode.Uri.joinPath(workspaceStorage(context), SESSIONS_FILE).fsPath,
    log,
    onProblem: tellSessionProblem,
  });
  const workspace = editorWorkspace([archives.outside]);
  const memoryAccess: MemoryAccess = {
    memory: () => memory.current,
    recall: () => readWindowSettings().recall,
    extraction: () => readWindowSettings().extraction,
    sessions,
    folder: () => workspaceFolderPaths()[0],
    now: () => new Date(),
    log,
  };
  const agent = lateCode(async () => {
    const { createAgent } = await import('./agent/agent.ts');
    return createAgent({ workspace, archive: () => archives.current, sessions, memoryAccess });
  }, log);
  const apiKey = new ApiKey(context.secrets);
  const catalogue = createClaudeCatalogue({
    apiKey: () => apiKey.get(),
    baseUrl: () => readBaseUrl(),
    log,
  });
  const modelDeps = () => ({ catalogue, utilityModel: readSettings().utilityModel, log });
  const personal = vscode.Uri.joinPath(context.globalStorageUri, 'memory');
  const progress = new StartProgress();
  const memory = new WorkspaceMemory({
    progress,
    personalFolder: personal.fsPath,
    sessions,
    chooseModel: () => chooseModelUnasked(modelDeps()),
    memento: context.workspaceState,
    log,
  });
  const reports = registerReports();
  const readiness = registerModelReadiness({ apiKey, progress, log });
  const consolidateWith = (choose: () => Promise<ModelChoice>, stop?: AbortSignal) =>
    consolidate({
      memory: memory.current,
      chooseModel: choose,
      notify: (changes) => memory.notify(changes, 'consolidated'),
      stop,
    });

  /** One after the other; one that fails must not take the others with it. */
  const register = (name: string, feature: () => vscode.Disposable) => {
    try {
      context.subscriptions.push(feature());
    } catch (error) {
      log.error(`[activation] ${name} is not available: ${errorText(error)}`);
    }
  };
  register('memory', () => memory);
  register('reports', () => reports);
  register('readiness', () => readiness);
  register('settings', () => registerSettingProblems({ memento: context.globalState, log }));
  register('tools', () =>
    registerLmTools(AGENT_TOOLS, async () => Object.values((await agent()).tools).flat(), log),
  );
  register('tools for other agents', () =>
    registerMemoryTools({
      ...memoryAccess,
      tell: (learned) => memory.tellLearned(together([learned])),
    }),
  );
  register('models', () =>
    registerModelProvider({
      catalogue,
      onDidChangeAccess: (listener) =>
        vscode.Disposable.from(apiKey.onDidChange(listener), onDidChangeSettings(listener)),
      log,
    }),
  );
  register('chat', () =>
    registerParticipant(log, async () => {
      const { tools, ...rest } = await agent();
      return {
        sessionDeps: () => ({
          ...rest,
          sessions,
          archive: archives.current,
          memory: memory.current,
          log,
          now: () => new Date(),
        }),
        tools: () => allowedTools(tools, readWindowSettings()),
        chooseModel: (picked) => chooseModel(picked, modelDeps()),
        consolidate: (picked, stop) =>
          consolidateWith(() => chooseModel(picked, modelDeps()), stop),
        onLearningStep: (step) => memory.showStep(step),
        onLearned: (learned) => memory.tellLearned(learned),
        onEvent: (event) => {
          if (event.type === 'answered') readiness.answered();
          memory.follow(event);
        },
        log,
      };
    }),
  );
  register('commands', () =>
    registerCommands(
      {
        ...memoryCommands({
          scopes: () => memory.current?.scopes,
          tree: () => memory.tree,
          notify: (changes) => memory.notify(changes),
          importPlaces: () => importPlaces(context),
          showReport: (report) => reports.show(report),
          notifyExpired: (changes) => memory.notify(changes, 'expired'),
          expireAfterDays,
        }),
        consolidate: () => consolidateWith(() => chooseModelOutsideChat(modelDeps())),
        compactSession: compactInChat,
        deleteSessions: () => deleteSessions({ sessions, archives: archives.all }),
        showLastNotice: async () => memory.showLastNotice(),
        setApiKey: () => promptForApiKey(apiKey),
        showLog: async () => log.show(),
        getStarted: () => progress.openWalkthrough(),
        tryInChat,
      },
      log,
    ),
  );
  register('expiry', () =>
    registerExpiry({
      scopes: () => memory.current?.scopes,
      notify: (changes) => memory.tellExpired(changes),
      memento: context.globalState,
      expireAfterDays,
      log,
    }),
  );
  register('sessions', () => registerSessionUpkeep({ sessions, limits: readSessionLimits, log }));
  resolveOwnModels().catch((error: unknown) => {
    log.error(`[activation] The models could not be resolved: ${errorText(error)}`);
  });
}

function expireAfterDays({ kind, store }: Scope): number {
  if (kind === 'personal') return personalExpiryDays();
  return readSettings(vscode.Uri.file(path.dirname(store.folder))).expireProjectAfterDays;
}

/** VS Code gives each extension a folder beside ours. */
function importPlaces({ globalStorageUri, storageUri }: vscode.ExtensionContext): ImportPlaces {
  return {
    folders: workspaceFolderPaths(),
    home: os.homedir(),
    extensionFolders: {
      global: path.dirname(globalStorageUri.fsPath),
      workspace: storageUri && path.dirname(storageUri.fsPath),
    },
  };
}

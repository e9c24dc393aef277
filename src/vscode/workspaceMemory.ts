// The memories of this window with all that shows them: tree, status bar, watchers, notices. They begin when the
// workspace is trusted, at once or later: a folder from elsewhere may bring memories of its own.

import path from 'node:path';
import * as vscode from 'vscode';
import type { TurnEvent } from '../agent/events.ts';
import type { Learned } from '../agent/learning/learned.ts';
import { Learning, type LearningStep, type OpenMemory } from '../agent/learning/learning.ts';
import { errorText, type Log } from '../base/log.ts';
import type { Change } from '../memory/change.ts';
import { recoverConsolidation } from '../memory/consolidation/consolidationRecovery.ts';
import type { Mode } from '../memory/mode.ts';
import { MemoryScopes, type Scope } from '../memory/scopes.ts';
import { MEMORY_FOLDER, type MemoryStore } from '../memory/store.ts';
import type { Model } from '../models/model.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { dropMemories } from './memories/dropMemories.ts';
import { registerMemoryTree, type MemoryTree } from './sidebar/memoryTree.ts';
import type { DropTarget } from './sidebar/rowDrag.ts';
import { plainLine } from './text/plainText.ts';
import { errorSentence } from './text/sentenceText.ts';
import { createNoticeQueue, type NoticeQueue } from './notices/noticeQueue.ts';
import {
  changesNotice,
  happenedNotice,
  type Happened,
  type Notice,
  type NoticeReason,
} from './notices/notices.ts';
import { workThrough } from './host/progress.ts';
import { registerReadOnlyTexts } from './host/readOnlyText.ts';
import { registerReview } from './review/reviewTree.ts';
import { registerEditing } from './editing/editing.ts';
import { readWindowSettings } from './host/settings.ts';
import type { StartProgress } from './host/startProgress.ts';
import { WatchedStores } from './host/watchedStores.ts';
import { createStatusItem, showUntrustedStatus, type StatusItem } from './notices/statusItem.ts';

interface WorkspaceMemoryOptions {
  /** Of the memories of the person, whatever folder is open. */
  readonly personalFolder: string;
  /** Knows what was not learned from yet. */
  readonly sessions?: SessionStore;
  /** For what windows before this one left over; undefined when there is none that may be used unasked. */
  readonly chooseModel?: () => Promise<Model | undefined>;
  /** Keeps which rows of the tree are open; without it that ends with the window. */
  readonly memento?: vscode.Memento;
  readonly log: Log;
  /** Is told once there are memories. */
  readonly progress?: StartProgress;
  /** How long notices are collected, and count as seen. */
  readonly noticeMs?: { readonly collectMs: number; readonly sightMs: number };
}

interface Open extends OpenMemory {
  readonly status: StatusItem;
}

export class WorkspaceMemory implements vscode.Disposable {
  readonly #options: WorkspaceMemoryOptions;
  readonly #subscriptions: vscode.Disposable;
  readonly #stores: WatchedStores;
  #open: Open | undefined;
  #tree: MemoryTree | undefined;
  #shown: vscode.Disposable | undefined;
  #working: vscode.Disposable | undefined;
  readonly #queue: NoticeQueue;
  #lastNotice: Notice | undefined;

  constructor(options: WorkspaceMemoryOptions) {
    this.#options = options;
    this.#stores = new WatchedStores(options.log);
    this.#queue = createNoticeQueue({
      tell: (happened) => this.#tell(happened),
      ...options.noticeMs,
    });
    if (vscode.workspace.isTrusted) this.#begin();
    else this.#show(undefined, showUntrustedStatus());
    this.#subscriptions = vscode.Disposable.from(
      registerReadOnlyTexts(),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#begin()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#followFolders()),
    );
  }

  /** Undefined when the workspace is not trusted. */
  get current(): OpenMemory | undefined {
    return this.#open;
  }

  get tree(): MemoryTree | undefined {
    return this.#tree;
  }

  /** Shows in the status bar what runs in the background; undefined when it is over. */
  showStep(step: LearningStep | undefined): void {
    this.#working?.dispose();
    this.#working = step && this.#open?.status.working(stepText(step));
  }

  /** What the status bar and the tree tell of a turn. */
  follow(event: TurnEvent): void {
    if (event.type === 'recalled')
      this.#tree?.markRecalled(event.receipt.recalled.map(({ record }) => record.path));
    this.#open?.status.follow(event);
  }

  /** One notification for changes that the person asked for. */
  notify(changes: readonly Change[], because?: NoticeReason): void {
    const open = this.#open;
    void (open && changesNotice(this.#noticeDeps(open), changes, because))?.show();
  }

  /** One notice of all that a turn taught, as the setting says. */
  tellLearned(learned: Learned): void {
    this.#queue.add(learned);
  }

  /** One notice of memories that have run out by themselves, as the setting says. */
  tellExpired(expired: readonly Change[]): void {
    this.#queue.add({ expired });
  }

  /** What happened last by itself, in a notification, also where the setting puts it elsewhere. */
  showLastNotice(): void {
    this.#queue.flush();
    if (this.#lastNotice) void this.#lastNotice.showAgain();
    else void vscode.window.showInformationMessage(vscode.l10n.t('There was no notice yet.'));
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#queue.dispose();
    this.#open?.learning.dispose();
    this.#shown?.dispose();
    this.#stores.dispose();
  }

  #begin(): void {
    if (this.#open) return;
    const { log, personalFolder, sessions } = this.#options;
    const personal = this.#stores.inStorage(personalFolder);
    const scopes = new MemoryScopes({ personal, activeFolder });
    const status = createStatusItem({ scopes, progress: this.#options.progress, log });
    const learning = new Learning({
      scopes,
      log,
      ...(sessions && { sessions }),
      mode: extractionMode,
      onLearnedLater: (learned) => this.tellLearned(learned),
    });
    this.#open = { scopes, status, learning };
    this.#followFolders();
    this.#show(scopes, registerReview({ scopes, log }), registerEditing({ scopes, log }), status);
    void this.#finishEarlier(this.#open);
  }

  /**
   * Once where it can be: VS Code 1.139 loads a tree that is registered again a second time, and then gives rows the
   * children of others where several folders are open.
   */
  #show(scopes: MemoryScopes | undefined, ...beside: readonly vscode.Disposable[]): void {
    const { memento, log } = this.#options;
    this.#shown?.dispose();
    this.#tree = registerMemoryTree({
      scopes,
      memento,
      onDrop: (paths, target) => this.#drop(paths, target),
      log,
    });
    this.#shown = vscode.Disposable.from(this.#tree, ...beside);
  }

  async #drop(paths: readonly string[], target: DropTarget): Promise<void> {
    if (!this.#open) return;
    try {
      const title = vscode.l10n.t('Moving memories…');
      await dropMemories(
        this.#open.scopes,
        { paths, target },
        {
          workThrough: (records, work) => workThrough(records, { title, work }),
          notify: (changes) => this.notify(changes),
        },
      );
    } catch (error) {
      const reason = plainLine(errorSentence(error));
      this.#options.log.error(`[drop] ${errorText(error)}`);
      void vscode.window.showErrorMessage(
        vscode.l10n.t('Not all memories were moved: {0}', reason),
      );
    }
  }

  /** Completes and looks at what windows before this one left over. */
  async #finishEarlier({ scopes, learning }: Open): Promise<void> {
    const { log, chooseModel } = this.#options;
    try {
      const consolidated: Change[] = [];
      for (const { store } of scopes.all) consolidated.push(...(await this.#recover(store)));
      learning.collect({ consolidated });
      learning.tellCollected();
      if (extractionMode() === 'off') return await learning.forgo();
      const model = scopes.workspace.length > 0 ? await chooseModel?.() : undefined;
      const mode = extractionMode();
      if (!model || mode === 'off') return;
      this.tellLearned(
        await learning.catchUp({ model, mode, onStep: (step) => this.showStep(step) }),
      );
    } catch (error) {
      log.error(`[memory] What was left over could not be completed: ${errorText(error)}`);
    }
  }

  /** One that cannot be completed does not hold up the others, nor what was said. */
  async #recover(store: MemoryStore): Promise<readonly Change[]> {
    const { log } = this.#options;
    try {
      return await recoverConsolidation(store, log);
    } catch (error) {
      log.error(`[consolidation] One that was cut off is not complete: ${errorText(error)}`);
      return [];
    }
  }

  /** Of what nobody asked for at this moment. */
  async #tell(happened: Happened): Promise<void> {
    const open = this.#open;
    const notice = open && happenedNotice(this.#noticeDeps(open), happened);
    if (!notice) return;
    this.#lastNotice = notice;
    const { notices } = readWindowSettings();
    if (notices !== 'none') open.status.keep(notice.text);
    if (notices === 'statusBar') open.status.tell(notice.text);
    if (notices === 'notification') await notice.show();
  }

  #noticeDeps({ scopes }: Open) {
    return { scopes, log: this.#options.log };
  }

  #followFolders(): void {
    if (!this.#open) return;
    const { scopes } = this.#open;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const workspace = folders
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ name, uri }): Scope => {
        const store = this.#stores.in(path.join(uri.fsPath, MEMORY_FOLDER));
        return { kind: 'workspace', name, store };
      });
    scopes.setWorkspace(workspace);
    this.#stores.keepOnly(scopes.all.map(({ store }) => store));
  }
}

/** The memories' folder of the workspace folder that the active editor shows. */
function activeFolder(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const folder = document && vscode.workspace.getWorkspaceFolder(document.uri);
  return folder && path.join(folder.uri.fsPath, MEMORY_FOLDER);
}

function extractionMode(): Mode {
  return readWindowSettings().extraction;
}

function stepText(step: LearningStep): string {
  switch (step) {
    case 'extraction':
      return vscode.l10n.t('Looking for what to remember…');
    case 'consolidation':
      return vscode.l10n.t('Consolidating memories…');
  }
}

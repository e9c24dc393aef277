// manifest.ts and package.json declare the same ids and defaults, both ways.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createMemoryTools } from '../../src/agent/memoryTools.ts';
import { memoryRecallDeclaration } from '../../src/agent/otherAgents/findForOthers.ts';
import { memorySaveDeclaration } from '../../src/agent/otherAgents/saveForOthers.ts';
import { createSessionTools } from '../../src/agent/sessionTools.ts';
import { createSkillTools } from '../../src/agent/skillTools.ts';
import { createWorkspaceTools } from '../../src/agent/workspaceTools.ts';
import { silentLog } from '../../src/base/log.ts';
import * as manifest from '../../src/manifest.ts';
import { SETTING_RULES } from '../../src/vscode/host/settingRules.ts';
import { INDEX_FILE } from '../../src/memory/folder/recordCache.ts';
import { MEMORY_FOLDER } from '../../src/memory/store.ts';
import { SessionStore } from '../../src/sessions/sessionStore.ts';
import { diskWorkspace } from '../support/diskWorkspace.ts';

const text = fs.readFileSync('package.json', 'utf8');
const declared = JSON.parse(text);
const { contributes } = declared;
const sections: readonly SettingsSection[] = contributes.configuration;
const settings: Readonly<Record<string, DeclaredSetting>> = Object.assign(
  {},
  ...sections.map(({ properties }) => properties),
);

describe('manifest', () => {
  it('names the extension', () => {
    assert.equal(`${declared.publisher}.${declared.name}`, manifest.EXTENSION_ID);
  });

  it('declares the commands of the code', () => {
    assert.deepEqual(
      contributes.commands.map((entry: { command: string }) => entry.command).toSorted(),
      Object.values(manifest.COMMANDS).toSorted(),
    );
  });

  it('uses only declared commands and context values in menus and welcome texts', () => {
    const known = new Set<string>(Object.values(manifest.COMMANDS));
    const used = [
      ...(text + nls()).matchAll(
        /[cC]ommand:(memoryAgent\.\w+)\b(?!\.focus)|"command": "([^"]+)"/g,
      ),
    ];
    const ids = new Set(used.map((match) => match[1] ?? match[2] ?? ''));
    const unknown = [...ids].filter((id) => !known.has(id) && id !== 'runCommands');
    assert.ok(used.length > 0);
    assert.deepEqual(unknown, []);
    for (const entry of contributes.menus['view/item/context']) {
      assert.ok(
        contexts().some((value) => isShownFor(value, entry)),
        entry.when,
      );
    }
  });

  it('offers of each pair of commands the one that makes sense for a row', () => {
    const offered = (context: string) =>
      contributes.menus['view/item/context']
        .filter(
          (entry: MenuEntry) => !entry.group.startsWith('inline') && isShownFor(context, entry),
        )
        .map((entry: { command: string }) => entry.command.replace('memoryAgent.', ''));
    const record = manifest.TREE_CONTEXT.record;
    assert.deepEqual(offered(`${record} pinned workspace shared`), [
      'editMemory',
      'renameMemory',
      'changeType',
      'unpinMemory',
      'moveToPersonal',
      'keepPrivate',
      'copyMemory',
      'revealInExplorer',
      'deleteMemory',
    ]);
    assert.deepEqual(offered(`${record} unpinned workspace private`), [
      'editMemory',
      'renameMemory',
      'changeType',
      'pinMemory',
      'moveToPersonal',
      'shareWithGit',
      'copyMemory',
      'revealInExplorer',
      'deleteMemory',
    ]);
    assert.deepEqual(offered(`${record} unpinned personal`), [
      'editMemory',
      'renameMemory',
      'changeType',
      'pinMemory',
      'moveToWorkspace',
      'copyMemory',
      'revealInExplorer',
      'deleteMemory',
    ]);
    assert.deepEqual(offered(manifest.TREE_CONTEXT.damaged), [
      'editMemory',
      'revealInExplorer',
      'deleteMemory',
    ]);
    assert.deepEqual(offered(manifest.TREE_CONTEXT.proposal), [
      'diffProposal',
      'acceptProposal',
      'rejectProposal',
    ]);
  });

  it('offers above the memories only what can be done in the workspace as it is trusted', () => {
    const always = contributes.menus['view/title'].filter(
      ({ when }: MenuEntry) =>
        when.includes('memoryAgent.memories') && !/isWorkspaceTrusted|isFiltered/.test(when),
    );
    assert.deepEqual(always, []);
  });

  it('offers to accept and reject a proposal where its text is shown', () => {
    const entries: readonly MenuEntry[] = contributes.menus['editor/title'];
    assert.deepEqual(
      entries.map(({ command, when }) => [command, when]),
      [manifest.COMMANDS.acceptProposal, manifest.COMMANDS.rejectProposal].map((command) => [
        command,
        `resourceScheme == ${manifest.PROPOSAL_SCHEME}`,
      ]),
    );
  });

  it('shows the review and its menu by the key that the code sets', () => {
    const keys = [...text.matchAll(/\bmemoryAgent\.has\w+/g)].map(([key]) => key);
    assert.deepEqual(
      [...new Set(keys)].toSorted(),
      [manifest.HAS_MEMORIES_KEY, manifest.HAS_MODEL_KEY, manifest.HAS_PROPOSALS_KEY].toSorted(),
    );
    const view = contributes.views[manifest.VIEW_CONTAINER_ID].find(
      ({ id }: { id: string }) => id === manifest.REVIEW_VIEW_ID,
    );
    assert.ok(view.when.includes(manifest.HAS_PROPOSALS_KEY));
  });

  it('binds keys in the tree, which tell a command on memories that no row came along', () => {
    const keys: readonly (MenuEntry & { readonly key: string; readonly args?: object })[] =
      contributes.keybindings.filter(({ when }: MenuEntry) =>
        when.startsWith(`focusedView == ${manifest.MEMORIES_VIEW_ID} && `),
      );
    const toggle = 'list.toggleSelection';
    const toldRow = (command: string) => ({
      commands: [toggle, toggle, { command, args: { fromKeyboard: true } }],
    });
    const { searchMemories, clearSearch, renameMemory, deleteMemory } = manifest.COMMANDS;
    assert.deepEqual(
      keys.map(({ command, key, args }) => [command, key, args]),
      [
        [searchMemories, 'ctrl+f', undefined],
        [clearSearch, 'escape', undefined],
        // The first of each shows the key in menus. The second is what it does: it tells which row has the focus.
        [renameMemory, 'f2', { fromKeyboard: true }],
        ['runCommands', 'f2', toldRow(renameMemory)],
        [deleteMemory, 'delete', { fromKeyboard: true }],
        ['runCommands', 'delete', toldRow(deleteMemory)],
      ],
    );
    for (const { when } of keys) assert.ok(when.includes('!inputFocus'), when);
    const clear = [...keys, ...contributes.menus['view/title']].filter(
      ({ command }) => command === clearSearch,
    );
    assert.equal(clear.length, 2);
    for (const { when } of clear) assert.ok(when.includes(manifest.IS_FILTERED_KEY), when);
  });

  it('makes the index read-only where it is generated, and no other file', () => {
    assert.deepEqual(contributes.configurationDefaults, {
      'files.readonlyInclude': {
        [`${MEMORY_FOLDER}/${INDEX_FILE}`]: true,
        [`**/globalStorage/${manifest.EXTENSION_ID}/memory/${INDEX_FILE}`]: true,
      },
    });
  });

  it('declares the settings of the code with the same defaults', () => {
    assert.deepEqual(
      Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, value.default])),
      Object.fromEntries(
        Object.entries(manifest.SETTINGS).map(([key, value]) => [
          `${manifest.SETTINGS_SECTION}.${key}`,
          value,
        ]),
      ),
    );
  });

  it('declares for each setting what the code takes, with a name for each choice', () => {
    for (const { key, shape } of Object.values(SETTING_RULES)) {
      const declaredAs = settings[`${manifest.SETTINGS_SECTION}.${key}`];
      assert.ok(declaredAs, key);
      const { type, minimum, maximum, enumItemLabels, markdownEnumDescriptions } = declaredAs;
      switch (shape.kind) {
        case 'choice':
          assert.deepEqual([type, declaredAs.enum], ['string', shape.words], key);
          assert.equal(enumItemLabels?.length, shape.words.length, key);
          assert.equal(markdownEnumDescriptions?.length, shape.words.length, key);
          break;
        case 'whole':
          assert.deepEqual([type, minimum, maximum], ['integer', shape.least, shape.most], key);
          break;
        case 'text':
          assert.equal(type, 'string', key);
          break;
        case 'switch':
          assert.equal(type, 'boolean', key);
      }
    }
    const unruled = Object.keys(manifest.SETTINGS).filter(
      (key) => !Object.values(SETTING_RULES).some((rule) => rule.key === key),
    );
    assert.deepEqual(unruled.toSorted(), ['baseUrl', 'prices']);
  });

  it('shows the settings in titled sections, each in its order', () => {
    for (const [index, { title, order, properties }] of sections.entries()) {
      assert.match(title, /^%settings\.\w+%$/);
      assert.equal(order, index + 1);
      const orders = Object.values(properties).map((property) => property.order);
      assert.deepEqual(
        orders,
        orders.map((_, place) => place + 1),
      );
    }
  });

  it('keeps what a workspace must not decide out of its reach', () => {
    const ofMachine = [
      'baseUrl',
      'confirmCommands',
      'prices',
      'sessions.keepDays',
      'sessions.maxMegabytes',
    ].map((key) => `${manifest.SETTINGS_SECTION}.${key}`);
    const keysWith = (isMeant: (scope: string) => boolean) =>
      Object.keys(settings)
        .filter((key) => isMeant(settings[key]?.scope ?? ''))
        .toSorted();
    assert.deepEqual(
      keysWith((scope) => scope === 'machine'),
      ofMachine,
    );
    // One that is not trusted decides nothing at all.
    assert.deepEqual(
      keysWith((scope) => scope !== 'machine'),
      declared.capabilities.untrustedWorkspaces.restrictedConfigurations.toSorted(),
    );
  });

  it('shows a picture for each theme in each step of the walkthrough, and packs it', () => {
    const [walkthrough] = contributes.walkthroughs;
    assert.equal(walkthrough.id, manifest.WALKTHROUGH_ID);
    const pictures = walkthrough.steps.flatMap(
      ({ media }: { media: { image: Record<string, string> } }) => Object.values(media.image),
    );
    assert.equal(pictures.length, walkthrough.steps.length * 4);
    for (const picture of pictures) assert.ok(fs.existsSync(picture), picture);
    assert.match(fs.readFileSync('.vscodeignore', 'utf8'), /^!media\/walkthrough\/\*\.png$/m);
  });

  it('completes each step of the walkthrough by what the code or the person does', () => {
    const known = new Set<string>([
      'onStepSelected',
      `onContext:${manifest.HAS_MODEL_KEY}`,
      `onContext:${manifest.HAS_MEMORIES_KEY}`,
      `onView:${manifest.MEMORIES_VIEW_ID}`,
      `onCommand:${manifest.MEMORIES_VIEW_ID}.focus`,
      ...Object.values(manifest.COMMANDS).map((command) => `onCommand:${command}`),
    ]);
    for (const { id, completionEvents } of contributes.walkthroughs[0].steps) {
      assert.ok(completionEvents.length > 0, id);
      for (const event of completionEvents) assert.ok(known.has(event), event);
    }
  });

  it('declares the participant, its slash commands, the views and the vendor', () => {
    const [participant] = contributes.chatParticipants;
    assert.equal(participant.id, manifest.PARTICIPANT_ID);
    assert.equal(participant.name, manifest.PARTICIPANT_NAME);
    assert.deepEqual(
      participant.commands.map((command: { name: string }) => command.name),
      manifest.SLASH_COMMANDS,
    );
    assert.equal(contributes.viewsContainers.activitybar[0].id, manifest.VIEW_CONTAINER_ID);
    assert.deepEqual(
      contributes.views[manifest.VIEW_CONTAINER_ID].map(({ id }: { id: string }) => id),
      [manifest.MEMORIES_VIEW_ID, manifest.REVIEW_VIEW_ID],
    );
    assert.equal(contributes.languageModelChatProviders[0].vendor, manifest.MODEL_VENDOR);
  });

  it('lets VS Code route what is about memories by examples, each of one category', () => {
    const [participant] = contributes.chatParticipants;
    const routes = [participant, ...participant.commands].flatMap(
      ({ disambiguation = [] }: { disambiguation?: Route[] }) => disambiguation,
    );
    assert.ok(routes.length >= 3);
    for (const unique of [
      routes.map(({ category }) => category),
      routes.flatMap(({ examples }) => examples),
    ])
      assert.equal(new Set(unique).size, unique.length);
    assert.ok(routes.every(({ description, examples }) => description && examples.length >= 2));
  });

  it('declares the agent tools with the schemas that the code checks', () => {
    const workspace = diskWorkspace([path.resolve('.')]);
    const tools = [
      ...createWorkspaceTools({ workspace }),
      ...createSessionTools(new SessionStore()),
      ...createMemoryTools({
        memory: () => undefined,
        recall: () => 'auto',
        extraction: () => 'auto',
        sessions: new SessionStore(),
        folder: () => undefined,
        now: () => new Date(),
        log: silentLog,
      }),
      ...createSkillTools(workspace),
    ];
    assert.deepEqual(
      tools.map(({ name }) => name),
      manifest.AGENT_TOOLS,
    );
    assert.deepEqual(
      ownTools().map(declaration),
      tools.map((tool) => ({
        name: manifest.TOOL_PREFIX + tool.name,
        description: tool.description,
        inputSchema: tool.inputSchema,
      })),
    );
  });

  it('offers no tool of the agent itself to be referenced by other agents', () => {
    assert.ok(ownTools().length > 0);
    for (const tool of ownTools()) {
      assert.equal(tool.toolReferenceName, undefined);
      assert.equal(tool.canBeReferencedInPrompt, undefined);
    }
  });

  it('offers to every other agent two tools over the memories, with what a person and a model need to know of them', () => {
    const offered = declaredTools().filter((tool) => !ownTools().includes(tool));
    assert.deepEqual(
      offered.map(declaration),
      [memoryRecallDeclaration, memorySaveDeclaration].map(
        ({ name, description, inputSchema }) => ({ name, description, inputSchema }),
      ),
    );
    assert.deepEqual(
      offered.map(({ name }) => name),
      Object.values(manifest.MEMORY_TOOLS),
    );
    for (const tool of offered) {
      assert.equal(tool.toolReferenceName, tool.name);
      assert.equal(tool.canBeReferencedInPrompt, true);
      assert.match(tool.icon ?? '', /^\$\([a-z-]+\)$/);
      assert.match(tool.userDescription ?? '', /^%.+%$/);
    }
  });

  it('has a text for every placeholder and no text without one', () => {
    const placeholders = [...text.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]);
    assert.deepEqual(
      [...new Set(placeholders)].toSorted(),
      Object.keys(JSON.parse(nls())).toSorted(),
    );
  });
});

interface SettingsSection {
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, DeclaredSetting>>;
}

interface DeclaredSetting {
  readonly type: string;
  readonly scope: string;
  readonly order: number;
  readonly default: unknown;
  readonly enum?: readonly string[];
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface DeclaredTool {
  readonly name: string;
  readonly modelDescription: string;
  readonly inputSchema: object;
  readonly toolReferenceName?: string;
  readonly canBeReferencedInPrompt?: boolean;
  readonly userDescription?: string;
  readonly icon?: string;
}

function declaredTools(): readonly DeclaredTool[] {
  return contributes.languageModelTools;
}

function ownTools(): readonly DeclaredTool[] {
  return declaredTools().filter(({ name }) => name.startsWith(manifest.TOOL_PREFIX));
}

function declaration({ name, modelDescription, inputSchema }: DeclaredTool) {
  return { name, description: modelDescription, inputSchema };
}

interface Route {
  readonly category: string;
  readonly description: string;
  readonly examples: readonly string[];
}

interface MenuEntry {
  readonly command: string;
  readonly when: string;
  readonly group: string;
}

/** Whether the menu of a row with this context value has the entry. */
function isShownFor(context: string, { when }: MenuEntry): boolean {
  const [, pattern, value] = /viewItem (?:=~ \/(.+?)\/|== (\S+))(?: |$)/.exec(when) ?? [];
  return pattern === undefined ? value === context : new RegExp(pattern).test(context);
}

/** What a row of a tree may say of itself. */
function contexts(): readonly string[] {
  const places = ['workspace shared', 'workspace private', 'personal'];
  const flags = ['pinned', 'unpinned'].flatMap((pin) => places.map((place) => `${pin} ${place}`));
  const { record, ...others } = manifest.TREE_CONTEXT;
  return [...Object.values(others), ...flags.map((flag) => `${record} ${flag}`)];
}

function nls(): string {
  return fs.readFileSync('package.nls.json', 'utf8');
}

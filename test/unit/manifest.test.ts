// manifest.ts and package.json declare the same ids and defaults, both ways.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createMemoryTools } from '../../src/agent/memoryTools.ts';
import { createSessionTools } from '../../src/agent/sessionTools.ts';
import { createSkillTools } from '../../src/agent/skillTools.ts';
import { createWorkspaceTools } from '../../src/agent/workspaceTools.ts';
import { silentLog } from '../../src/base/log.ts';
import * as manifest from '../../src/manifest.ts';
import { SessionStore } from '../../src/sessions/sessionStore.ts';
import { diskWorkspace } from '../support/diskWorkspace.ts';

const text = fs.readFileSync('package.json', 'utf8');
const declared = JSON.parse(text);
const { contributes } = declared;

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
    const used = [...(text + nls()).matchAll(/command:(memoryAgent\.\w+)|"command": "([^"]+)"/g)];
    const unknown = used.map((match) => match[1] ?? match[2] ?? '').filter((id) => !known.has(id));
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
      'unpinMemory',
      'moveToPersonal',
      'keepPrivate',
      'deleteMemory',
    ]);
    assert.deepEqual(offered(`${record} unpinned workspace private`), [
      'editMemory',
      'pinMemory',
      'moveToPersonal',
      'shareWithGit',
      'deleteMemory',
    ]);
    assert.deepEqual(offered(`${record} unpinned personal`), [
      'editMemory',
      'pinMemory',
      'moveToWorkspace',
      'deleteMemory',
    ]);
    assert.deepEqual(offered(manifest.TREE_CONTEXT.damaged), ['editMemory']);
    assert.deepEqual(offered(manifest.TREE_CONTEXT.proposal), [
      'diffProposal',
      'acceptProposal',
      'rejectProposal',
    ]);
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
    assert.deepEqual([...new Set(keys)], [manifest.HAS_PROPOSALS_KEY]);
    const view = contributes.views[manifest.VIEW_CONTAINER_ID].find(
      ({ id }: { id: string }) => id === manifest.REVIEW_VIEW_ID,
    );
    assert.ok(view.when.includes(manifest.HAS_PROPOSALS_KEY));
  });

  it('declares the settings of the code with the same defaults', () => {
    const settings = Object.entries<{ default: unknown }>(contributes.configuration.properties);
    assert.deepEqual(
      Object.fromEntries(settings.map(([key, value]) => [key, value.default])),
      Object.fromEntries(
        Object.entries(manifest.SETTINGS).map(([key, value]) => [
          `${manifest.SETTINGS_SECTION}.${key}`,
          value,
        ]),
      ),
    );
  });

  it('keeps the base URL and the deletion of conversations out of reach of a workspace', () => {
    for (const key of ['baseUrl', 'sessions.keepDays', 'sessions.maxMegabytes']) {
      assert.equal(
        contributes.configuration.properties[`memoryAgent.${key}`].scope,
        'machine',
        key,
      );
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
      contributes.languageModelTools.map(
        (tool: { name: string; modelDescription: string; inputSchema: object }) => ({
          name: tool.name,
          description: tool.modelDescription,
          inputSchema: tool.inputSchema,
        }),
      ),
      tools.map((tool) => ({
        name: manifest.TOOL_PREFIX + tool.name,
        description: tool.description,
        inputSchema: tool.inputSchema,
      })),
    );
  });

  it('offers no agent tool to be referenced by other agents', () => {
    for (const tool of contributes.languageModelTools) {
      assert.equal(tool.toolReferenceName, undefined);
      assert.equal(tool.canBeReferencedInPrompt, undefined);
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

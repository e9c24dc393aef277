import assert from 'node:assert/strict';
import { COMMANDS, SLASH_COMMANDS } from '../../src/manifest.ts';
import type { MemoryScopes } from '../../src/memory/scopes.ts';
import { showHelp } from '../../src/vscode/chat/helpCommand.ts';
import { showWelcome } from '../../src/vscode/chat/welcome.ts';
import { keptResponse } from '../support/chatResponse.ts';
import { TABS } from '../support/records.ts';
import { scopesIn } from '../support/scopes.ts';
import { useTempFolder } from '../support/tempFolder.ts';

describe('a chat that is asked nothing', () => {
  const temp = useTempFolder();
  let scopes: MemoryScopes;

  beforeEach(() => {
    scopes = scopesIn(temp.path);
  });

  it('says what it is for, with prompts that a click writes into the input', async () => {
    const { text, buttons, steps } = await told(showWelcome, scopes);
    assert.match(text, /^I work on the files .*\n\nNothing is remembered here yet\.\n\n/);
    const [, argument = ''] = /command:workbench\.action\.chat\.open\?(\S+) /.exec(text) ?? [];
    assert.deepEqual(JSON.parse(decodeURIComponent(argument)), [
      { query: '@memory I prefer tabs over spaces. Remember that.', isPartialQuery: true },
    ]);
    assert.deepEqual(buttons, [COMMANDS.getStarted]);
    assert.deepEqual(steps, ['lookAround', 'help']);
  });

  it('says how many memories it knows, and shows them', async () => {
    await scopes.personal.store.create(TABS);
    const { text, buttons, steps } = await told(showWelcome, scopes);
    assert.match(text, /\n\nI know one memory here\.\n\n/);
    assert.deepEqual(buttons, ['memoryAgent.memories.focus']);
    assert.deepEqual(steps, ['showAll', 'help']);
    await scopes.home.store.create(TABS);
    assert.match((await told(showWelcome, scopes)).text, /\n\nI know 2 memories here\.\n\n/);
  });

  it('has nothing to say of a project where no folder is open', async () => {
    assert.match((await told(showHelp, scopes)).text, /How is this project built and tested/);
    scopes.setWorkspace([]);
    const { text, steps } = await told(showWelcome, scopes);
    assert.deepEqual(steps, ['help']);
    for (const shown of [text, (await told(showHelp, scopes)).text])
      assert.doesNotMatch(shown, /How is this project built and tested/);
  });

  it('says in a workspace that is not trusted what is off, and how to trust it', async () => {
    for (const show of [showWelcome, showHelp]) {
      const { text, buttons } = await told(show, undefined);
      assert.match(text, /This workspace is not trusted, .* use no memories/);
      assert.ok(buttons.includes('workbench.trust.manage'));
    }
  });

  it('tells of every command, where memories lie and how many, and what is sent, when asked for help', async () => {
    await scopes.home.store.create(TABS);
    await scopes.personal.store.create(TABS);
    const { text, steps } = await told(showHelp, scopes);
    for (const command of SLASH_COMMANDS)
      assert.match(text, new RegExp(`^- \`/${command}\\b`, 'm'));
    assert.match(text, /\n\nNow: 1 in the workspace, 1 personal\.\n\n/);
    assert.match(text, /\*\*What is sent\*\*\n\nYour words, /);
    assert.match(text, /\[the settings\]\(command:workbench\.action\.openSettings\?\S+\)/);
    assert.deepEqual(steps, ['showAll']);
  });

  async function told(show: typeof showWelcome, memory: MemoryScopes | undefined) {
    const { response, text, buttons } = keptResponse();
    const steps = await show(memory, response);
    return {
      text: text(),
      buttons: buttons.map(({ command }) => command),
      steps: steps.map(({ kind }) => kind),
    };
  }
});

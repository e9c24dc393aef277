import assert from 'node:assert/strict';
import { newSystemPrompt } from '../../../src/agent/sessionPrompt.ts';
import type { SessionDeps, SessionRequest } from '../../../src/agent/sessionDeps.ts';
import { listSkills } from '../../../src/agent/skills/skills.ts';
import { createSkillTools } from '../../../src/agent/skillTools.ts';
import { runTurn } from '../../../src/agent/turn.ts';
import { silentLog } from '../../../src/base/log.ts';
import { MemoryScopes } from '../../../src/memory/scopes.ts';
import { MemoryStore } from '../../../src/memory/store.ts';
import { diskWorkspace } from '../../support/diskWorkspace.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { skillFile, writeSkill } from '../../support/skillFiles.ts';
import { useTempFolder } from '../../support/tempFolder.ts';
import { turnDeps, turnRequest } from '../../support/turnRequests.ts';

describe('the skills that a session begins with', () => {
  const folder = useTempFolder();

  function setUp() {
    const workspace = diskWorkspace([folder.path]);
    const personal = new MemoryStore({ folder: `${folder.path}/.memory`, log: silentLog });
    const warnings: string[] = [];
    const deps: SessionDeps = {
      ...turnDeps(folder.path, new MemoryScopes({ personal })),
      memory: undefined,
      skills: () => listSkills(workspace),
      log: { ...silentLog, warn: (line: string) => warnings.push(line) },
    };
    const model = scriptedModel(['One.', 'Two.']);
    const tools = createSkillTools(workspace);
    const request = turnRequest({
      text: 'Hello.',
      model,
      utilityModel: model,
      folders: [folder.path],
      tools,
    });
    const prompt = (changed: Partial<SessionRequest> = {}) =>
      newSystemPrompt(deps, { ...request, ...changed }, async () => []);
    return { deps, model, request, prompt, warnings };
  }

  it('are listed in its prompt, and what is wrong with others is logged', async () => {
    await writeSkill(folder.path, '.claude/skills/notes', skillFile('notes', 'How.'));
    await writeSkill(folder.path, '.claude/skills/odd', 'Nothing.');
    const { prompt, warnings } = setUp();
    assert.match(await prompt(), /<skills>\n- notes — How\.\n<\/skills>/);
    assert.deepEqual(warnings, ['[skills] .claude/skills/odd: The file has no front matter.']);
  });

  it('are neither read nor told where they may not be loaded', async () => {
    await writeSkill(folder.path, '.claude/skills/notes', 'Nothing.');
    const { prompt, warnings } = setUp();
    assert.doesNotMatch(await prompt({ tools: [] }), /skill/i);
    assert.deepEqual(warnings, []);
  });

  it('stay the same in it, so that a provider has the prompt in its cache', async () => {
    await writeSkill(folder.path, '.claude/skills/notes', skillFile('notes', 'How.'));
    const { deps, model, request } = setUp();
    const never = new AbortController().signal;
    const emit = () => undefined;
    const { ref } = await runTurn(deps, request, emit, never);
    await writeSkill(folder.path, '.claude/skills/more', skillFile('more', 'More.'));
    await runTurn(deps, { ...request, previous: ref }, emit, never);
    const [first, second] = model.requests;
    assert.match(first?.system ?? '', /notes — How/);
    assert.equal(second?.system, first?.system);
    assert.deepEqual(second?.tools, first?.tools);
  });
});

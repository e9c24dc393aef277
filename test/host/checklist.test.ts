import assert from 'node:assert/strict';
import type { Todo } from '../../src/agent/events.ts';
import { showChecklist } from '../../src/vscode/chat/checklist.ts';
import { showEvent } from '../../src/vscode/chat/turnDisplay.ts';
import { keptResponse } from '../support/chatResponse.ts';

const LOOK = 'Read the parser';
const MEND = 'Mend it';

describe('the checklist in a chat', () => {
  it('is shown whole first, and then only what moved', () => {
    assert.deepEqual(shown([todo(LOOK, 'in_progress'), todo(MEND)]), [
      `\n\n**Checklist: 0 of 2 done**\n\n- [ ] **${LOOK}** (in progress)\n- [ ] ${MEND}\n\n`,
    ]);
    assert.deepEqual(
      shown(
        [todo(LOOK, 'completed'), todo(MEND), todo('Test')],
        [todo(LOOK, 'completed'), todo(MEND, 'in_progress'), todo('Test')],
        [todo(LOOK, 'completed'), todo(MEND, 'completed'), todo('Test', 'in_progress')],
      ).slice(1),
      [
        `\n\n- [ ] **${MEND}** (in progress)\n\n`,
        `\n\n- [x] ${MEND}\n- [ ] **Test** (in progress)\n\n`,
      ],
    );
  });

  it('is shown whole again when its steps change, and not when nothing does', () => {
    const list = [todo(LOOK, 'completed')];
    const [, second, ...more] = shown(list, list, [...list, todo(MEND)], [...list, todo(MEND)]);
    assert.match(second ?? '', /1 of 2 done/);
    assert.deepEqual(more, []);
    assert.deepEqual(shown(list, []).slice(1), ['\n\n_The checklist is empty._\n\n']);
  });

  it('is that of one answer: another begins anew', () => {
    assert.deepEqual(shown([todo(LOOK)]), shown([todo(LOOK)]));
  });

  it('sets apart what a step names as code', () => {
    const [text = ''] = shown([
      todo('Read `a_b.ts` and `*` now', 'in_progress'),
      todo('A ` alone'),
    ]);
    assert.match(text, /\*\*Read `a_b\.ts` and `\*` now\*\* \(in progress\)\n- \[ \] A \\` alone/);
  });

  it('shows the words of a step as they are written', () => {
    const [text = ''] = shown([todo('[x](command:y)\n\n# **b** $(z) <img src=a>', 'in_progress')]);
    assert.match(
      text,
      /\n- \[ \] \*\*\\\[x\\\]\\\(command\\:y\\\) \\# \\\*\\\*b\\\*\\\* \\\$\\\(z\\\) \\<img src\\=a\\>\*\* \(in progress\)\n\n$/,
    );
  });

  it('comes with the turn that it is of', () => {
    const { response, text } = keptResponse();
    showEvent(response, { type: 'todos', todos: [todo(LOOK)] }, undefined);
    assert.match(text(), /- \[ \] Read the parser/);
  });
});

function todo(content: string, status: Todo['status'] = 'pending'): Todo {
  return { content, status };
}

/** In one answer, what each list adds to it; nothing where it adds nothing. */
function shown(...lists: readonly (readonly Todo[])[]): readonly string[] {
  const { response, text } = keptResponse();
  const parts = lists.map((todos) => {
    const before = text().length;
    showChecklist(response, todos);
    return text().slice(before);
  });
  return parts.filter((part) => part !== '');
}

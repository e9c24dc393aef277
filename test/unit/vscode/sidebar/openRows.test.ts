import assert from 'node:assert/strict';
import { OpenRows } from '../../../../src/vscode/sidebar/openRows.ts';

describe('OpenRows', () => {
  it('keeps what the person has opened and closed, for the next window too', async () => {
    const memento = new StoredValues();
    const rows = new OpenRows(memento);
    assert.equal(rows.isOpen('user'), undefined);
    await rows.keep('user', false);
    await rows.keep('project', true);
    await rows.keep('user', true);
    await rows.keep('user', false);
    const later = new OpenRows(memento);
    assert.deepEqual([later.isOpen('user'), later.isOpen('project')], [false, true]);
  });

  it('stores nothing when nothing has changed', async () => {
    const memento = new StoredValues();
    const rows = new OpenRows(memento);
    await rows.keep('user', false);
    await rows.keep('user', false);
    assert.equal(memento.updates, 1);
  });

  it('takes anything that is stored, and keeps the newest rows', async () => {
    for (const stored of [7, null, 'x', { user: 'yes' }])
      assert.equal(new OpenRows(new StoredValues(stored)).isOpen('user'), undefined);
    const memento = new StoredValues();
    const rows = new OpenRows(memento);
    for (let i = 0; i < 250; i++) await rows.keep(`row ${i}`, true);
    const later = new OpenRows(memento);
    assert.deepEqual([later.isOpen('row 0'), later.isOpen('row 249')], [undefined, true]);
  });
});

/** One value, as VS Code stores it: as JSON. */
class StoredValues {
  updates = 0;
  #json: string | undefined;

  constructor(value?: unknown) {
    this.#json = JSON.stringify(value);
  }

  get(): unknown {
    return this.#json && JSON.parse(this.#json);
  }

  async update(_key: string, value: unknown): Promise<void> {
    this.updates++;
    this.#json = JSON.stringify(value);
  }
}

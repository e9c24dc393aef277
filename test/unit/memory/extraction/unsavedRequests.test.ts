import assert from 'node:assert/strict';
import { REFUSALS, type Operation } from '../../../../src/memory/extraction/policy.ts';
import { unsavedRequests } from '../../../../src/memory/extraction/unsavedRequests.ts';
import { TABS_OPERATION } from '../../../support/records.ts';

const FROZEN = 'Remember that the build is frozen until Friday';

/** What is told of a message, when some of the operations came to nothing for the reason beside them. */
function untold(
  said: string,
  made: readonly (readonly [quote: string, reason?: string])[] = [],
  known: readonly string[] = [],
) {
  const operations = made.map(([quote]): Operation => ({ ...TABS_OPERATION, quote }));
  const lost = new Map(
    operations.flatMap((operation, at) => {
      const reason = made[at]?.[1];
      return reason === undefined ? [] : [[operation, reason] as const];
    }),
  );
  return unsavedRequests({ said: [said], operations, lost, known });
}

describe('a request to remember that came to nothing', () => {
  it('is told in the words of the person, and that it does not last', () => {
    for (const reason of [REFUSALS.temporary, REFUSALS.notPersistent])
      for (const quote of ['the build is frozen until Friday', FROZEN, `${FROZEN}. Fix the tests.`])
        assert.deepEqual(
          untold(`${FROZEN}. Fix the tests.`, [[quote, reason]]),
          [{ words: `${FROZEN}.`, because: 'temporary' }],
          quote,
        );
  });

  it('is told whatever the reason', () => {
    for (const reason of [REFUSALS.unknownType, REFUSALS.tooLong, 'it could not be written: no'])
      assert.deepEqual(untold(FROZEN, [[FROZEN, reason]]), [{ words: FROZEN, because: 'other' }]);
  });

  it('is told when a model made nothing of it, and no memory is about it', () => {
    const lost = [{ words: FROZEN, because: 'other' }];
    assert.deepEqual(untold(FROZEN), lost);
    assert.deepEqual(untold(FROZEN, [['I prefer tabs.']], ['Prefers tabs']), lost);
    assert.deepEqual(untold(FROZEN, [], ['The build does not run before Saturday.']), []);
  });

  it('is not told when anything came of it', () => {
    const made = [[FROZEN, REFUSALS.temporary], ['the build is frozen']] as const;
    assert.deepEqual(untold(FROZEN, made), []);
  });

  it('is told each by itself', () => {
    const port = 'Remember that the port of billing is 8421';
    const made = [[port], [FROZEN, REFUSALS.temporary]] as const;
    assert.deepEqual(
      untold(`${port}. ${FROZEN}.`, made).map(({ words }) => words),
      [`${FROZEN}.`],
    );
  });

  it('is nothing that nobody asked for, that was pasted, or that is for this conversation', () => {
    for (const said of [
      'The build is frozen until Friday.',
      `> ${FROZEN}`,
      `Explain:\n\`\`\`\n${FROZEN}\n\`\`\``,
      `Summarise this.\n${'A line of the manual.\n'.repeat(50)}${FROZEN}.`,
      'Remember for this session that the build is frozen',
    ])
      assert.deepEqual(untold(said, [['the docs', REFUSALS.notSaid]]), [], said);
  });

  it('is told without a secret in it', () => {
    const key = `sk-ant-${'a1'.repeat(20)}`;
    assert.deepEqual(untold(`Remember that my key is ${key}`), [
      { words: 'Remember that my key is [redacted: an Anthropic key]', because: 'other' },
    ]);
  });
});

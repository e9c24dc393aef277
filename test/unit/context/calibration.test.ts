import assert from 'node:assert/strict';
import { Calibration } from '../../../src/context/calibration.ts';

describe('the calibration of the estimate', () => {
  it('is the relation of what was counted to what was estimated', () => {
    const calibration = new Calibration();
    assert.equal(calibration.factor, 1);
    calibration.learn({ estimate: 1_000, tokens: 1_250 });
    assert.equal(calibration.factor, 1.25);
    calibration.learn({ estimate: 1_000, tokens: 800 });
    assert.equal(calibration.factor, 0.8);
  });

  it('believes a count that is far above for as much as text can be off', () => {
    const calibration = new Calibration();
    calibration.learn({ estimate: 100, tokens: 1_000 });
    assert.equal(calibration.factor, 2);
    calibration.learn({ estimate: 100, tokens: Infinity });
    assert.equal(calibration.factor, 2);
  });

  it('does not believe a count that leaves something out', () => {
    const calibration = new Calibration();
    calibration.learn({ estimate: 1_000, tokens: 1_200 });
    calibration.learn({ estimate: 1_000, tokens: 10 });
    assert.equal(calibration.factor, 1.2);
  });

  it('learns nothing from a server that does not count', () => {
    const calibration = new Calibration();
    calibration.learn({ estimate: 1_000, tokens: 1_500 });
    calibration.learn({ estimate: 1_000, tokens: 0 });
    calibration.learn({ estimate: 0, tokens: 1_000 });
    calibration.learn({ estimate: 1_000, tokens: NaN });
    assert.equal(calibration.factor, 1.5);
  });

  it('remembers the smallest input that was too long', () => {
    const calibration = new Calibration();
    assert.equal(calibration.tooMany, Infinity);
    calibration.overflowed(8_000);
    calibration.overflowed(20_000);
    assert.equal(calibration.tooMany, 8_000);
    calibration.learn({ estimate: 1_000, tokens: 900 });
    assert.equal(calibration.tooMany, 8_000);
  });
});

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

  it('does not believe a count that is far off', () => {
    const calibration = new Calibration();
    calibration.learn({ estimate: 100, tokens: 1_000 });
    assert.equal(calibration.factor, 2);
    calibration.learn({ estimate: 1_000, tokens: 10 });
    assert.equal(calibration.factor, 0.5);
  });

  it('learns nothing from a server that does not count', () => {
    const calibration = new Calibration();
    calibration.learn({ estimate: 1_000, tokens: 1_500 });
    calibration.learn({ estimate: 1_000, tokens: 0 });
    calibration.learn({ estimate: 0, tokens: 1_000 });
    assert.equal(calibration.factor, 1.5);
  });

  it('rises after an overflow to what the window holds at least, and never falls by it', () => {
    const calibration = new Calibration();
    calibration.overflowed(8_000, 10_000);
    assert.equal(calibration.factor, 1.25);
    calibration.overflowed(20_000, 10_000);
    assert.equal(calibration.factor, 1.25);
  });
});

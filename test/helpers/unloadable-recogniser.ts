// A recogniser whose weights are missing.
import { EngineError } from '../../src/local/voice-service/engines/engine.ts';

export async function check(): Promise<never> {
  throw new EngineError('crashed', "Speech can't be recognised: its model is missing. Run npm ci --ignore-scripts again, then restart.");
}

export async function createEngine(): Promise<never> {
  throw new Error('its model is missing');
}

// How old a message is when it arrives, by a clock of this machine that is wrong, or is set.
import { Client, Events, SnowflakeUtil } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMessageClock } from '../../src/bot/message-events.ts';

const MINUTE_MS = 60_000;
/** Discord's clock is so many milliseconds ahead of the steady one. */
const DISCORD_MS = 1.8e12;

/** @param lead milliseconds that this machine's clock is ahead of the steady one */
function openClock(lead: number) {
  const client = new Client({ intents: [] });
  const machine = { lead };
  const clock = createMessageClock(client, () => performance.now() + machine.lead);
  onTestFinished(() => clock.close());
  const ageOf = (secondsAgo: number) =>
    clock.ageOf(SnowflakeUtil.generate({ timestamp: Math.round(DISCORD_MS + performance.now() - secondsAgo * 1000) }).toString());
  return { client, machine, ageOf };
}

// No time passes by itself, however busy the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a message that arrives', () => {
  it.each([14, -14])('is as old as it is if the clock is %i minutes off, the first one included', (minutes) => {
    const { ageOf } = openClock(DISCORD_MS + minutes * MINUTE_MS);
    expect(ageOf(0)).toBeLessThan(1);
    expect(ageOf(0)).toBeLessThan(1);
    expect(ageOf(20)).toBeCloseTo(20, 0);
  });

  it.each([14, -14, 0.1])('is as old as it is right after the clock was set by %d minutes', (minutes) => {
    const { machine, ageOf } = openClock(DISCORD_MS);
    expect(ageOf(0)).toBeLessThan(1);
    machine.lead += minutes * MINUTE_MS;
    expect(ageOf(0)).toBeLessThan(1);
    expect(ageOf(20)).toBeCloseTo(20, 0);
  });

  it('while the gateway catches up is as old as this machine’s clock says, and nothing is learnt from it', () => {
    const { client, ageOf } = openClock(DISCORD_MS);
    client.emit(Events.ShardReconnecting, 0);
    expect(ageOf(20)).toBeCloseTo(20, 0);
    client.emit(Events.ShardResume, 0, 1);
    expect(ageOf(0)).toBeLessThan(1);
    expect(ageOf(20)).toBeCloseTo(20, 0);
  });

  it('while the gateway catches up after the machine was suspended is old', () => {
    const { client, machine, ageOf } = openClock(DISCORD_MS);
    expect(ageOf(0)).toBeLessThan(1);
    // The steady clock stood still meanwhile.
    machine.lead += MINUTE_MS;
    client.emit(Events.ShardReconnecting, 0);
    expect(ageOf(-20)).toBeGreaterThan(35);
  });
});

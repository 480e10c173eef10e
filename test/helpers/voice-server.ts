// A new voice server with one channel for each test of a file; bots that joined are disconnected at its end.
import { VoiceConnectionStatus } from '@discordjs/voice';
import { afterEach, beforeEach } from 'vitest';
import type { Listener, VoiceServer } from '../../src/local/discord/voice/types.ts';
import { startVoiceServer, trustCertificate } from '../../src/local/discord/voice/voice-server.ts';
import { joinAsBot, type VoiceBot, type VoiceBotOptions } from './voice-bot.ts';

export const GUILD = '1090000000000000001';
export const CHANNEL = '1090000000000000002';
export const OTHER_CHANNEL = '1090000000000000003';
export const BOT = '1090000000000000010';
export const OTHER_BOT = '1090000000000000011';
export const ADA = '1090000000000000020';
export const BEN = '1090000000000000021';
/** A listener's statistics when nothing went wrong. */
export const CLEAN = { early: 0, plaintext: 0, undecryptable: 0, lost: 0 };

export interface VoiceServerFixture {
  server: VoiceServer;
  distrust: () => void;
  join(options?: Partial<VoiceBotOptions>): VoiceBot;
  listen(userId?: string, channelId?: string): Listener;
}

/** Call it once, at the top of a test file. */
export function useVoiceServer(): VoiceServerFixture {
  let bots: VoiceBot[] = [];
  const fixture = {
    join(options: Partial<VoiceBotOptions> = {}) {
      const bot = joinAsBot(fixture.server, { guildId: GUILD, channelId: CHANNEL, userId: BOT, ...options });
      bots.push(bot);
      return bot;
    },
    listen: (userId = ADA, channelId = CHANNEL) => fixture.server.listen({ guildId: GUILD, channelId, userId }),
  } as VoiceServerFixture;

  beforeEach(async () => {
    fixture.server = await startVoiceServer();
    fixture.distrust = trustCertificate(fixture.server.certificate);
  });
  afterEach(async () => {
    for (const bot of bots) if (bot.connection.state.status !== VoiceConnectionStatus.Destroyed) bot.leave();
    bots = [];
    await fixture.server.close();
    fixture.distrust();
  });
  return fixture;
}

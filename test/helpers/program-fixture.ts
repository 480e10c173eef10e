// The program on a local Discord that outlives it, started again and again on one data folder.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { LocalDiscordOptions } from '../../src/local/discord/index.ts';
import { makeFolder } from './folder.ts';
import { commandsRegistered, openLocalDiscord } from './local-discord.ts';
import { memberOf } from './member.ts';
import { watchMentions } from './openapi.ts';
import { startProgram } from './program.ts';

/** Everything is closed when the test ends, which fails if any message was sent without saying whom it may notify. */
export async function openProgramFixture(service: { url: string; key: string }, options: LocalDiscordOptions = {}) {
  const discord = await openLocalDiscord(options);
  const { problems } = watchMentions(discord);
  onTestFinished(() => expect(problems).toEqual([]));
  const folder = await makeFolder();
  const certificate = join(folder, 'certificate.pem');
  await writeFile(certificate, discord.certificate);
  const dataDir = join(folder, 'data');
  const robinIn = (guildId: string) => memberOf(discord, 'Robin', { guildId });
  const environment = {
    DATA_DIR: dataDir,
    ...{ DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: discord.application.token, DISCORD_CDN_URLS: discord.cdnUrl },
    ...{ VOICE_API_URL: service.url, VOICE_API_KEY: service.key, NODE_EXTRA_CA_CERTS: certificate },
  };
  return {
    ...{ discord, dataDir, environment, memberOf: robinIn },
    member: robinIn(discord.guildId),
    async start(env: Record<string, string> = {}) {
      const program = await startProgram({ ...environment, ...env });
      await program.line(/^Parley is ready/);
      await commandsRegistered(discord);
      return program;
    },
  };
}

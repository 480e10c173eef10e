// `npm run local-discord`: the local Discord on its own, for any bot, or for several processes of one.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { GatewayIntentBits } from 'discord-api-types/v10';
import { startLocalDiscord } from './index.ts';

const USAGE = `Usage: npm run local-discord -- [options]

  --port N      the port to listen on, on this machine only (8787)
  --guilds N    how many servers there are at the first start (3)
  --name NAME   the application's name (Bot)
  --data DIR    where it keeps its ids, its messages and its certificate (./data/standalone-discord, and a folder of its own for
                each other name than Parley)
  --help        this text
`;

/** A mistake in the command line; its message is a sentence. */
class UsageError extends Error {}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '8787' },
        guilds: { type: 'string', default: '3' },
        name: { type: 'string', default: 'Bot' },
        data: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    return {
      ...values,
      data: values.data ?? folderFor(values.name),
      port: readNumber('port', values.port, 65_535),
      guilds: readNumber('guilds', values.guilds, 1000),
    };
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]?.replace(/\.$/, '')}.`);
  }
}

/** Parley's is where it always was. Another bot would find its messages and its name there. */
function folderFor(name: string): string {
  return name === 'Parley' ? './data/standalone-discord' : `./data/standalone-discord-${encodeURIComponent(name)}`;
}

function readNumber(name: string, text: string, most: number): number {
  if (!/^\d+$/.test(text) || Number(text) > most) throw new UsageError(`--${name} must be a whole number up to ${most}`);
  return Number(text);
}

async function main(): Promise<void> {
  const { port, guilds, name, data, help } = readOptions();
  if (help) return console.log(USAGE);
  const discord = await startLocalDiscord({
    port,
    guilds,
    members: 4,
    application: { name, description: '' },
    directory: data,
    privilegedIntents: GatewayIntentBits.MessageContent,
    log: { debug: () => {}, warn: (facts, message) => console.error(message, facts) },
  });
  // The certificate of the voice gateway, which is made anew at each start.
  const certificate = resolve(join(data, 'certificate.pem'));
  await writeFile(certificate, discord.certificate);
  const stop = () => void discord.close().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const settings = {
    DISCORD_TOKEN: discord.application.token,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_CDN_URLS: discord.cdnUrl,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  console.log(`The local Discord is ready: open ${discord.pageUrl()}\n\nWhere a bot starts, set in the shell:\n`);
  for (const [setting, value] of Object.entries(settings)) console.log(`export ${setting}='${value}'`);
}

try {
  await main();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') console.error('The port is already in use: choose another with --port, or 0 for any free one.');
  else console.error(error instanceof UsageError ? `${message}\n\n${USAGE}` : message);
  process.exitCode = 1;
}

// `npm run voice-service`: the local voice service on its own, for any client. Keys come from the environment, because everybody on the
// machine can read the command lines of its processes.
import { createLog } from '../../log.ts';
import { readCommandLine, USAGE, UsageError } from './command-line.ts';
import { findEspeak } from './engines/index.ts';
import { startVoiceService } from './index.ts';

async function main(): Promise<void> {
  try {
    process.loadEnvFile();
  } catch {
    // There is no .env file.
  }
  const settings = readCommandLine(process.argv.slice(2), process.env.VOICE_SERVICE_KEYS ?? '', process.env.ENGINE_PRIORITY);
  if (settings === 'help') {
    console.log(USAGE);
    return;
  }
  const log = createLog('info');
  const espeak = await findEspeak();
  const service = await startVoiceService({ ...settings, espeak, measuresNatural: true, log });
  const stop = () => {
    // A thread that hangs must not block the terminal.
    setTimeout(() => process.exit(0), 4000).unref();
    void service.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  console.log(`The voice service is ready: ${service.url}`);
  if (settings.keys.length === 0) console.log(`API key, kept in ${settings.dataDir}: ${service.key}`);
}

try {
  await main();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') console.error('The port is already in use: choose another with --port, or 0 for any free one.');
  else console.error(error instanceof UsageError ? `${message}\n\n${USAGE}` : message);
  process.exitCode = 1;
}

// What some tests need that not every machine has. Without it they are skipped, with the reason in their titles and at the end of the run.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export interface Requirement {
  isMet: boolean;
  /** What is missing, and how to get it. */
  reason: string;
}

export const CHROMIUM_PATH = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path && existsSync(path));

export const DISCORD_DESCRIPTION = new URL('../../../shared/data/discord-openapi.json', import.meta.url);

const runs = (program: string, ...options: string[]) => spawnSync(program, options).status === 0;
/** In CI a missing program is a failure, not a reason to skip. */
const isCi = Boolean(process.env.CI);

export const ffmpeg: Requirement = { isMet: isCi || runs('ffmpeg', '-version'), reason: 'ffmpeg is not installed' };
export const prlimit: Requirement = { isMet: runs('prlimit', '--version'), reason: 'prlimit (util-linux) is not installed' };
export const chromium: Requirement = {
  isMet: isCi || CHROMIUM_PATH !== undefined,
  reason: 'Chromium is not installed, or CHROMIUM_PATH does not name it',
};
export const redisServer: Requirement = { isMet: isCi || runs('redis-server', '--version'), reason: 'redis-server is not installed' };
export const kubectl: Requirement = {
  isMet: isCi || runs('kubectl', 'version', '--client'),
  reason: 'kubectl (kubernetes-client) is not installed',
};
export const prometheus: Requirement = { isMet: isCi || runs('promtool', '--version'), reason: 'promtool (prometheus) is not installed' };
export const systemdAnalyze: Requirement = { isMet: runs('systemd-analyze', '--version'), reason: 'systemd is not installed' };
export const discordDescription: Requirement = {
  isMet: existsSync(DISCORD_DESCRIPTION),
  reason: "Discord's published description is not at ../shared/data/discord-openapi.json",
};

/** The title, with the reason if the test is skipped. */
export const titled = (title: string, { isMet, reason }: Requirement): string => (isMet ? title : `${title} (skipped: ${reason})`);

/** A reporter for Vitest: lists at the end of the run what could not be checked on this machine. */
export const missingRequirementsReporter = {
  onTestRunEnd(): void {
    for (const { isMet, reason } of [ffmpeg, prlimit, chromium, redisServer, kubectl, prometheus, systemdAnalyze, discordDescription])
      if (!isMet) console.warn(`\n NOT CHECKED: ${reason}. Tests that need it were skipped or checked less.`);
  },
};

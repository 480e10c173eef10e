// Programs that some tests need and not every machine has. Without one of them its tests are skipped, with the reason in their titles and in a
// table at the end of the run. TEST_EVERYTHING=1 runs them all the same, so that a missing program is a failure.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Requirement {
  isMet: boolean;
  /** Why it isn't met. */
  reason: string;
  /** What remains unchecked without it. */
  checks: string;
  /** Debian's packages; null if none would help. */
  package: string | null;
}

/** All of them. */
export const requirements: Requirement[] = [];

function need(requirement: Requirement): Requirement {
  requirements.push(requirement);
  return requirement;
}

const mustHaveAll = Boolean(process.env.TEST_EVERYTHING);

/** The path of the first of these programs that is installed. */
function findProgram(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function program(name: string, checks: string, debianPackage: string): Requirement {
  const isMet = mustHaveAll || findProgram(name) !== undefined;
  return need({ isMet, reason: `${name} is not installed`, checks, package: debianPackage });
}

const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

export const CHROMIUM_PATH = [
  process.env.CHROMIUM_PATH,
  // The shell draws no window around the page, which saves a quarter of the CPU.
  findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'),
  MAC_CHROME,
].find((path) => path && existsSync(path));

export const DISCORD_DESCRIPTION = new URL('../../../shared/data/discord-openapi.json', import.meta.url);

export const ffmpeg = program('ffmpeg', 'sound as ffmpeg hears it, and AAC', 'ffmpeg');
export const espeakNg = program('espeak-ng', 'speech in other languages', 'espeak-ng');
export const prlimit = program('prlimit', 'a full disk', 'util-linux');
export const chromium = need({
  isMet: mustHaveAll || CHROMIUM_PATH !== undefined,
  reason: 'Chromium is not installed, or CHROMIUM_PATH does not name it',
  checks: "the local Discord's page",
  package: 'chromium-headless-shell',
});
export const redisServer = program('redis-server', 'several processes of one bot', 'redis-server');
export const kubectl = program('kubectl', 'the files for Kubernetes', 'kubernetes-client');
export const prometheus = program('promtool', 'alerts and dashboards', 'prometheus');
export const systemdAnalyze = program('systemd-analyze', 'the systemd unit', 'systemd');

const mayMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
const imageTools = ['buildah', 'crun', 'mmdebstrap'];
/** Where nobody may mount, as in most containers, TEST_EVERYTHING doesn't ask for it. */
export const image = need({
  isMet: mayMount && (mustHaveAll || imageTools.every((name) => findProgram(name))),
  reason: mayMount ? `${imageTools.join(', ')} are not all installed` : 'whoever runs this may not mount',
  checks: 'the image',
  package: mayMount ? imageTools.join(' ') : null,
});

/** Not part of the repository, so TEST_EVERYTHING doesn't ask for it. */
export const discordDescription = need({
  isMet: existsSync(DISCORD_DESCRIPTION),
  reason: 'openapi.json of github.com/discord/discord-api-spec is not at ../shared/data/discord-openapi.json',
  checks: "what is sent, against Discord's description",
  package: null,
});

/** The title, with the reason if the test is skipped, or checks less. */
export const titled = (title: string, requirement: Requirement): string => (requirement.isMet ? title : `${title} ${markOf(requirement)}`);

/** What `titled` adds. */
export const markOf = ({ reason }: Requirement): string => `(skipped: ${reason})`;

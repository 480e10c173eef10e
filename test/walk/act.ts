// One bot with its members, and what the steps of the story are told with.
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIMessage } from 'discord.js';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import type { MannersName } from '../../src/local/voice-service/manners.ts';
import { filesOf, isLoading, type Member, type MemberInteraction, partsOf, textOf } from '../helpers/member.ts';
import { type Parley, type ParleyOptions, startParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { type RecordingProxy, startProxy } from './proxy.ts';
import type { Recorder, StepOptions } from './recorder.ts';

export interface Act extends Parley {
  /** Whose manners the voice service has. */
  like: MannersName;
  /** Before the voice service. */
  proxy: RecordingProxy;
  /** Robin's channels. */
  general: string;
  lounge: string;
  workshop: string;
  /** Runs one step, and waits until the bot has nothing more to do. */
  step(title: string, run: () => Promise<unknown>, options?: StepOptions): Promise<void>;
  /** Writes down the text of the files of a message. */
  readFiles(message: APIMessage): Promise<string[]>;
}

interface ActOptions extends Omit<ParleyOptions, 'service'> {
  /** One that is running already, or the options of one that is started. */
  service?: { url: string; key: string } | Partial<VoiceServiceOptions>;
}

/** A clock that stands still gives users, channels and servers the same ids each time, from which the bot derives whose voice is whose. */
const WORLD_CREATED_AT = Date.UTC(2026, 0, 1);
/** What follows the clock: polls of the balance, besides the first one and those of commands, and leaving an empty voice channel. */
const NEVER_MS = 24 * 3600_000;
/** For a button that is about to be there. */
const [TRIES, TRY_MS] = [400, 50];

export async function playAct(
  recorder: Recorder,
  title: string,
  { service: given = {}, ...options }: ActOptions,
  play: (act: Act) => Promise<void>,
): Promise<void> {
  recorder.act(title);
  const { like = 'spec' } = 'url' in given ? {} : given;
  const started = 'url' in given ? null : await startTestVoiceService(given);
  const service = 'url' in given ? given : (started as TestVoiceService);
  const proxy = await startProxy(service.url, recorder);
  const act = {} as Act;
  const now = Date.now;
  Date.now = () => WORLD_CREATED_AT;
  const starting = startParley({
    timing: { pollMs: NEVER_MS, settleMs: NEVER_MS, idleMs: NEVER_MS },
    voice: { idleMs: NEVER_MS, aloneMs: NEVER_MS },
    ...options,
    service: {
      url: proxy.url,
      key: service.key,
      isHosted: like === 'hosted',
      spokenScripts: like === 'hosted' ? undefined : started?.spokenScripts,
    },
    onDiscord(discord) {
      Date.now = now;
      recorder.watchDiscord(discord);
    },
    wrapStore: recorder.wrapStore,
  });
  const step: Act['step'] = (name, run, stepOptions) => recorder.step(name, run, () => (act.bot?.().speaking() ?? 0) > 0, stepOptions);
  await step('the bot starts', async () => {
    Object.assign(act, await starting);
  });
  const { discord } = act;
  const channelId = (name: string) => discord.channelId(name);
  Object.assign(act, {
    ...{ like, proxy, step },
    ...{ general: channelId('general'), lounge: channelId('Lounge'), workshop: channelId('Workshop') },
    readFiles: (message: APIMessage) =>
      Promise.all(
        filesOf(message).map(async ({ name, url }) => {
          const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
          const text = bytes.toString();
          const isText = /\.(json|csv|txt|srt|vtt|md)$/.test(name);
          recorder.sees(`${name} ${isText ? JSON.stringify(text) : `${bytes.length} bytes`}`);
          return text;
        }),
      ),
  });
  try {
    await play(act);
    await step('the bot stops', () => act.bot().close());
    recorder.endAct();
  } finally {
    await act.close();
    await proxy.close();
    await started?.close();
  }
}

/** The first answer that says something. */
export const shown = (interaction: MemberInteraction) =>
  interaction.message((message) => !isLoading(message) && (textOf(message) !== '' || filesOf(message).length > 0));

/** The message as it is now. */
export const latest = (who: Member, { id }: APIMessage) => who.sees((message) => message.id === id);

export const customIds = (message: APIMessage) =>
  partsOf(message.components).flatMap((part) => ('custom_id' in part && part.custom_id !== undefined ? [part.custom_id] : []));

/** The first button or menu whose custom id begins so, on the message as it is now or soon. */
async function find(who: Member, message: APIMessage, beginning: string): Promise<{ now: APIMessage; id: string }> {
  for (let tries = 0; ; tries++) {
    const now = await latest(who, message);
    const ids = customIds(now);
    const id = ids.find((one) => one.startsWith(beginning));
    if (id !== undefined) return { now, id };
    if (tries === TRIES) throw new Error(`There is no ${beginning}, but ${ids.join(', ') || 'nothing'} in “${textOf(now)}”.`);
    await sleep(TRY_MS);
  }
}

/** Presses a button, and waits for the answer. */
export async function press(who: Member, message: APIMessage, beginning: string): Promise<MemberInteraction> {
  const { now, id } = await find(who, message, beginning);
  const interaction = await who.click(now, id);
  await interaction.answered();
  return interaction;
}

/** The same with a menu; of a text menu, an option may be the beginning of its value. */
export async function choose(who: Member, message: APIMessage, beginning: string, values: string | string[]): Promise<MemberInteraction> {
  const { now, id } = await find(who, message, beginning);
  const offered = partsOf(now.components).flatMap((part) => ('options' in part && part.custom_id === id ? part.options : []));
  const wanted = [values]
    .flat()
    .map((value) => offered.find((option) => option.value === value || option.value.startsWith(`${value}:`))?.value ?? value);
  const interaction = await who.select(now, id, wanted);
  await interaction.answered();
  return interaction;
}

/** Runs a command and waits for what it says. */
export async function ask(who: Member, command: string, options: Record<string, string | number | boolean> = {}): Promise<APIMessage> {
  return shown(await who.run(command, options));
}

/** Submits a form, and waits for the answer. */
export async function submit(
  who: Member,
  form: MemberInteraction,
  fields: Record<string, string | string[]> = {},
): Promise<MemberInteraction> {
  const interaction = await who.submitModal(form, fields);
  await interaction.answered();
  return interaction;
}

export const says = (interaction: MemberInteraction, text: string) => interaction.message((message) => textOf(message).includes(text));

// A voice service with a harmful catalogue, as members see it: the list, a single voice, and the suggestions.

import { type APIMessage, ComponentType, InteractionType, ApplicationCommandOptionType as OptionType } from 'discord.js';
import fc from 'fast-check';
import { anyText, hostileTexts } from '../../helpers/arbitrary-text.ts';
import { modelOnWire } from '../../helpers/catalogue.ts';
import { expectHarmless } from '../../helpers/harmless.ts';
import { answer, answerJson, startMisbehavingService } from '../../helpers/misbehaving-service.ts';
import { below, pick, type Random } from '../../helpers/random.ts';
import { commandIds, sendAndCheck } from '../commands.ts';
import { distort, sample } from '../distort.ts';
import { startBotUnderTest } from '../environment.ts';
import { mutate } from '../mutations.ts';
import type { OpenTarget } from '../target.ts';

const LONGEST = 20_000;

export const openCatalogue: OpenTarget = async () => {
  let body: string | Uint8Array = '';
  const service = await startMisbehavingService((asked, response) => {
    service.requests.length = 0;
    if (asked.url?.startsWith('/wallet/')) answerJson(200, { credit: '50' })(asked, response);
    else answer(200, body, { 'content-type': 'application/json' })(asked, response);
  });
  const bot = await startBotUnderTest({ url: service.url, key: 'key' });
  const { parley, discord } = bot;
  const { client } = parley.other;
  const ids = await commandIds(bot);
  const harm: unknown[] = [];
  let shownLast: APIMessage | null = null;
  client.onDispatch(({ t, d }) => {
    if (t !== 'MESSAGE_CREATE' && t !== 'MESSAGE_UPDATE') return;
    shownLast = d as APIMessage;
    try {
      expectHarmless(d as Parameters<typeof expectHarmless>[0]);
    } catch (error) {
      harm.push(error);
    }
  });

  function check(): void {
    const [first] = harm.splice(0);
    if (first !== undefined) throw new Error(`members are shown something harmful: ${String(first).slice(0, 600)}`);
  }

  return {
    async attack(random) {
      body = catalogueOf(random);
      if (random() < 0.3) {
        const focused = { name: 'voice', type: OptionType.String, value: pick(['', 'v', 'x y'], random), focused: true as const };
        const asked = { channel_id: discord.channelId('general'), command_id: ids.get('1:say') ?? '', options: [focused] };
        for (const { name } of await client.call('autocomplete', asked)) expectHarmless({ title: name });
        return 'proposed';
      }
      const options =
        random() < 0.5 ? [] : [{ name: 'title', type: OptionType.String, value: sample(anyText, random).slice(0, 60) || 'a' }];
      const data = { id: ids.get('1:voices'), name: 'voices', type: 1, options };
      await sendAndCheck(bot, client, { type: InteractionType.ApplicationCommand, data });
      check();
      const list = shownLast as APIMessage | null;
      const menu = list && /"custom_id":"(voices-open:[^"]+)".*?"value":"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(list.components));
      if (!list || !menu) return 'said that there is nothing';
      const [, custom_id = '', id = '""'] = menu;
      const chosen = { custom_id, component_type: ComponentType.StringSelect, values: [JSON.parse(`"${id}"`)], resolved: {} };
      await sendAndCheck(bot, client, { type: InteractionType.MessageComponent, data: chosen, messageId: list.id });
      check();
      return 'shown';
    },
    async close() {
      await bot.close();
      await service.close();
    },
  };
};

function catalogueOf(random: Random): string | Uint8Array {
  const items = Array.from({ length: 1 + below(5, random) }, (_, index) => {
    const model = entry(`voice-${index}`, random);
    return random() < 0.3 ? distort(model, random) : model;
  });
  const list = { total: pick([items.length, 0, 1e9, items.length + 40], random), items };
  const kind = random();
  if (kind < 0.85) return JSON.stringify(list);
  if (kind < 0.93) return JSON.stringify(distort(list, random));
  return mutate(Buffer.from(JSON.stringify(list)), random);
}

const text = fc.oneof(fc.constantFrom(...Object.values(hostileTexts)), anyText).map((one) => one.slice(0, LONGEST));

function entry(id: string, random: Random): unknown {
  const any = () => sample(text, random);
  return modelOnWire(id, {
    ...{ title: any(), description: any(), cover_image: any(), created_at: any(), tags: [any(), any()], languages: [any()] },
    samples: [{ title: any(), text: any(), task_id: '', audio: any() }],
    author: { _id: 'a', nickname: any(), avatar: any() },
  });
}

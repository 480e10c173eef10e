// /settings with every section, and /dictionary.
import type { APIMessage } from 'discord.js';
import { type Act, ask, choose, latest, press, shown, submit } from './act.ts';

export async function setUp(act: Act): Promise<void> {
  await changeSettings(act);
  await teachWords(act);
}

async function changeSettings(act: Act): Promise<void> {
  const { member: robin, other: sam, discord, general, lounge, workshop, step, readFiles } = act;
  let panel!: APIMessage;
  let captions!: APIMessage;
  const select = (title: string, menu: string, values: string | string[]) => step(title, () => choose(robin, panel, menu, values));
  const fill = (title: string, button: string, fields: Record<string, string | string[]>) =>
    step(title, async () => {
      const interaction = await robin.click(await latest(robin, panel), await idOf(button));
      await submit(robin, interaction, fields);
    });
  const idOf = async (beginning: string) => {
    const text = JSON.stringify((await latest(robin, panel)).components);
    const found = new RegExp(`"custom_id":"(${beginning}[^"]*)"`).exec(text)?.[1];
    if (!found) throw new Error(`There is no ${beginning} in ${text}`);
    return found;
  };

  await step('/settings is for admins', () =>
    sam
      .run('settings')
      .then(shown)
      .catch(() => {}),
  );
  await step('/settings', async () => {
    panel = await ask(robin, 'settings');
  });
  await fill('a voice is searched', 'settings:search:server', { title: 'clara' });
  await select('it becomes the voice of the server', 'settings:voice:server', 'id:clara-tutor');
  await select('a channel is chosen', 'settings:target', workshop);
  await fill('a voice is searched for it', 'settings:search:', { title: 'alan' });
  await select('it becomes the voice of the channel', 'settings:voice:', 'id:alan-guide');
  await fill('a voice that there is not', 'settings:search:', { title: 'nobody at all' });
  await select('the channel has none again', 'settings:voice:', 'none');
  await select('the section for speaking', 'settings:section', 'speaking');
  await select('quieter', 'settings:volume', '50');
  await select('German', 'settings:language', 'de');
  await step('Robin enters the lounge', () => robin.listen());
  await step('/say in a German server', async () => {
    await shown(await robin.run('say', { text: 'Hello in German' }));
  });
  await select('the language of the server', 'settings:language', 'server');
  await fill('a limit', 'settings:cap', { lengthCap: '20' });
  await fill('a limit that is none', 'settings:cap', { lengthCap: 'many' });
  await step('a text beyond it', async () => {
    await shown(await robin.run('say', { text: 'This text is longer than what the server allows, so its end is missing' }));
  });
  await fill('no limit', 'settings:cap', { lengthCap: '' });
  await step('stay', () => press(robin, panel, 'settings:set:stay:1'));
  await step('stay no longer', () => press(robin, panel, 'settings:set:stay:0'));
  await step('hide the text', () => press(robin, panel, 'settings:set:showText:0'));
  let hidden!: APIMessage;
  await step('/say of a hidden text', async () => {
    hidden = await shown(await robin.run('say', { text: 'Nobody reads this' }));
  });
  await step('more is said below it', async () => void (await (await press(robin, hidden, 'say-more:')).modal()));
  await step('show the text', () => press(robin, panel, 'settings:set:showText:1'));

  await select('the section for access', 'settings:section', 'access');
  const role = discord.addRole('Talkers', 0n);
  await select('roles', 'settings:roles', role);
  await select('channels', 'settings:channels', [general, lounge]);
  await select('muted members', 'settings:muted', sam.client.userId);
  await step('Sam may not', () => ask(sam, 'say', { text: 'May I?', channel: lounge }));
  await select('nobody is muted', 'settings:muted', []);
  await step('Sam has the wrong role', () => ask(sam, 'say', { text: 'May I?', channel: lounge }));
  await select('all roles', 'settings:roles', []);
  await step('Sam is in the wrong channel', () =>
    ask(sam.inChannel(discord.channelId('random')), 'say', { text: 'May I?', channel: lounge }),
  );
  await step('Sam wants another voice channel', () => ask(sam, 'say', { text: 'May I?', channel: workshop }));
  await select('all channels', 'settings:channels', []);
  await select('who changes the dictionary', 'settings:dictionaryRoles', role);
  await select('who makes voices', 'settings:voiceMakerRoles', role);

  await select('the section for reading', 'settings:section', 'reading');
  await select('a voice channel', 'settings:always-in', lounge);
  await select('is always read', 'settings:reading:always', general);
  // Otherwise it depends on the member's id.
  await step('Robin chooses a voice', () => ask(robin, 'say', { text: 'As Clara', voice: 'Clara' }));
  await step('a message there', () => robin.write('Always'));
  await step('/read stop of it', () => ask(robin, 'read stop'));
  await select('is read no more', 'settings:reading:always', []);
  await select('who is read', 'settings:reading:who', 'listeners');
  await select('what is read', 'settings:reading:options', ['bots', 'reactions']);
  await select('which roles are read', 'settings:reading:roles', role);
  await select('who starts reading', 'settings:reading:readerRoles', role);
  await fill('how long messages wait', 'settings:reading-form', { maxDelay: '20', ignorePrefix: '!' });
  await fill('how long messages can not wait', 'settings:reading-form', { maxDelay: '1000', ignorePrefix: '!' });

  await select('the section for captions', 'settings:section', 'captions');
  await select('who starts captions', 'settings:captions:starters', role);
  await select('where', 'settings:captions:channels', lounge);
  await select('who is never captioned', 'settings:captions:excluded', role);
  await select('agreement is asked for each time', 'settings:captions:consent', 'each');
  await select('they are in a thread', 'settings:captions:place', 'thread');
  await select('they are in the chat', 'settings:captions:place', 'chat');
  await select('in English', 'settings:captions:language', 'en');
  await step('/captions start', async () => {
    await ask(robin, 'captions start');
    captions = await robin.sees((message) => JSON.stringify(message).includes('"captions:language"'));
  });
  await step('Robin agrees', () => press(robin, captions, 'captions:on'));
  await step('Robin speaks English', () => choose(robin, captions, 'captions:language', 'en'));
  await step('Robin’s words are deleted', () => press(robin, captions, 'captions:delete'));
  await step('Robin no longer agrees', () => press(robin, captions, 'captions:off'));
  await step('/captions stop', () => ask(robin, 'captions stop'));
  await step('/captions stop of nothing', () => ask(robin, 'captions stop'));

  await select('the section for budgets', 'settings:section', 'budgets');
  await fill('budgets', 'settings:budgets', { guildBudget: '5000', memberBudget: '40', guildMinutes: '2', memberMinutes: '1' });
  await fill('more than the operator allows', 'settings:budgets', { guildBudget: '100000000' });
  await step('a text beyond the budget', () =>
    ask(robin, 'say', { text: 'This text is longer than what is left of the budget for today' }),
  );
  await step('messages beyond the budget', async () => {
    discord.setRoles(robin.client.userId, [role]);
    await ask(robin, 'read start');
    await robin.write('This message is longer than what is left of the budget for today');
  });
  await step('they are read no more', () => ask(robin, 'read stop'));
  await step('/credit of a member with a budget', () => ask(sam, 'credit'));

  let exported = '';
  await step('export', async () => {
    [exported = ''] = await readFiles(await shown(await press(robin, panel, 'settings:export')));
  });
  await step('reset, or not', async () => {
    await press(robin, panel, 'settings:reset');
    await press(robin, panel, 'settings:keep');
  });
  await step('reset', async () => {
    await press(robin, panel, 'settings:reset');
    await press(robin, panel, 'settings:reset-now');
  });
  const importFile = async (content: string) => {
    const form = await robin.click(await latest(robin, panel), 'settings:import');
    return submit(robin, form, { file: robin.upload('parley-settings.json', Buffer.from(content)) });
  };
  await step('import of nonsense', () => importFile('nonsense'));
  await step('import of what changes nothing', () => importFile('{}'));
  await step('import', () => importFile(exported.replace('"volume": 0.5', '"volume": 7')));
  await step('but not yet', () => press(robin, panel, 'settings:keep'));
  await step('import after all', async () => {
    await importFile(exported);
    await press(robin, panel, 'settings:import-now');
  });
  await step('it is undone', () => press(robin, panel, 'settings:undo'));
  await step('Robin leaves', () => robin.leaveVoice());
}

async function teachWords(act: Act): Promise<void> {
  const { member: robin, other: sam, step, readFiles } = act;
  let added!: APIMessage;
  await step('/dictionary list of nothing', () => ask(sam, 'dictionary list'));
  await step('/dictionary add', async () => {
    added = await ask(robin, 'dictionary add', { word: 'GG', say_as: 'good game' });
  });
  await step('it is undone', () => press(robin, added, 'dictionary:undo:'));
  await step('the first of two changes is undone', async () => {
    added = await ask(robin, 'dictionary add', { word: 'GG', say_as: 'good game', for: 'server' });
    await ask(robin, 'dictionary add', { word: 'GG', say_as: 'very good game', for: 'server' });
    await press(robin, added, 'dictionary:undo:');
    added = await ask(robin, 'dictionary add', { word: 'GG', say_as: 'good game', for: 'server' });
  });
  await step('/dictionary add for oneself, in a language', () =>
    ask(sam, 'dictionary add', { word: 'brb', say_as: 'be right back', language: 'English', for: 'me' }),
  );
  await step('/dictionary add of nothing', () => ask(sam, 'dictionary add', { word: '!!', say_as: ' ', for: 'me' }));
  await step('/dictionary add for the server, by Sam', () => ask(sam, 'dictionary add', { word: 'afk', say_as: 'away', for: 'server' }));
  await step('it completes', async () => {
    await sam.autocomplete('dictionary add', 'language', 'ger');
    await robin.autocomplete('dictionary remove', 'word', 'g', { for: 'server' });
    await sam.autocomplete('dictionary test', 'word', '');
  });
  await step(
    'hear it, without a voice channel',
    async () => void (await readFiles(await shown(await press(robin, added, 'dictionary:hear:')))),
  );
  await step('Robin enters the lounge again', () => robin.listen());
  await step('hear it', async () => {
    await shown(await press(robin, added, 'dictionary:hear:'));
  });
  await step('/dictionary test', async () => shown(await robin.run('dictionary test', { word: 'gg' })));
  await step('/dictionary test of a word without an entry', () => ask(robin, 'dictionary test', { word: 'nothing' }));
  await step('/say with a word of the dictionary', async () => shown(await robin.run('say', { text: 'gg all' })));

  const words = Array.from({ length: 30 }, (_, index) => `word${index},spoken ${index},${index % 2 ? 'en' : ''}`);
  const importFile = async (
    who: typeof robin,
    content: string,
    options: Record<string, string> = {},
    fields: Record<string, string> = {},
  ) => submit(who, await who.run('dictionary import', options), { file: who.upload('words.csv', Buffer.from(content)), ...fields });
  let imported!: APIMessage;
  await step('/dictionary import', async () => {
    imported = await shown(
      await importFile(robin, ['word,say_as,language', ...words, 'bad', 'word1,again,', ',,'].join('\n'), { for: 'server' }),
    );
    await readFiles(imported);
  });
  await step('/dictionary import for oneself, instead of all there is', () =>
    importFile(sam, 'word,say_as\nlol,laughing', { for: 'me' }, { mode: 'replace' }),
  );
  await step('/dictionary import of nonsense', () => importFile(sam, '\0\0\0', { for: 'me' }));
  let list!: APIMessage;
  await step('/dictionary list', async () => {
    list = await ask(robin, 'dictionary list', { for: 'server' });
  });
  await step('the next page', () => press(robin, list, 'dictionary:next:'));
  await step('the page before', () => press(robin, list, 'dictionary:previous:'));
  await step('the other dictionary', () => press(robin, list, 'dictionary:other:'));
  await step('and back', () => press(robin, list, 'dictionary:other:'));
  await step('a word is removed from the list', () => choose(robin, list, 'dictionary:remove:', 'word0'));
  await step('/dictionary list, searched', () => ask(robin, 'dictionary list', { for: 'server', search: 'word2' }));
  await step('/dictionary remove', () => ask(robin, 'dictionary remove', { word: 'word5', for: 'server' }));
  await step('/dictionary remove of what is not there', () => ask(robin, 'dictionary remove', { word: 'nothing', for: 'server' }));
  await step('/dictionary export', async () => {
    await readFiles(await ask(robin, 'dictionary export', { for: 'server' }));
    await readFiles(await ask(sam, 'dictionary export', { for: 'me' }));
  });
  await step('the import is undone', () => press(robin, imported, 'dictionary:undo:'));
  await step('/dictionary list in direct messages', async () => ask(await sam.inDm(), 'dictionary list'));
  await step('Robin leaves', () => robin.leaveVoice());
}

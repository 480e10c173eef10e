// What /dictionary does: each action changes a dictionary, and replies with the change and a button to undo it.
import { type Attachment, AttachmentBuilder, MessageFlags, type ModalSubmitInteraction, type RepliableInteraction } from 'discord.js';
import { asPrivate, type CardMessage, notice } from '../discord/cards.ts';
import { UserError } from '../discord/errors.ts';
import { KEEP_QUESTION_MS, keepValue, readKeptValue } from '../store/index.ts';
import { type CsvEntries, readCsv, skipLine, writeCsv } from './csv.ts';
import { type DictionaryContext, maxEntries, type Owner, type Subject } from './dictionaries.ts';
import {
  addEntries,
  type Change,
  type Changed,
  changeSchema,
  type Entry,
  findEntries,
  type ImportMode,
  importEntries,
  type Names,
  readEntry,
  removeWord,
  undoChange,
} from './entry.ts';
import { changedMessage, exportMessage, importMessage, listMessage, needsReport, readMode, reportLines, unreadLine } from './views.ts';

const EXPORT_NAME = 'dictionary.csv';
const REPORT_NAME = 'not-imported.txt';
/** Three times what a thousand of the longest entries take. */
const MAX_FILE_BYTES = 1024 * 1024;

/** @throws UserError if it can't be added; StoreError */
export async function addEntry(
  interaction: RepliableInteraction,
  context: DictionaryContext,
  { scope, owner }: Subject,
  typed: { word: string; spoken: string; language: string },
  names: Names,
): Promise<void> {
  const entry = readEntry(typed, context.publicT, names);
  if (typeof entry === 'string') throw new UserError((t) => t(`dictionary.problems.${entry}`));
  const most = maxEntries(owner);
  const change = await applyChange(context, owner, (entries) => {
    const changed = addEntries(entries, [entry], most);
    if (changed.left.length > 0) throw new UserError((t) => t(`dictionary.full.${scope}`, { most }));
    return changed;
  });
  const isNew = change.after.length > 0;
  const undoKey = isNew ? await keepUndo(interaction, context, change) : null;
  await interaction.reply(asPrivate(changedMessage(context.t, scope, isNew ? change : { before: [], after: [entry] }, undoKey)));
}

/** @throws UserError if the word is not there; StoreError */
export async function removeEntry(context: DictionaryContext, { scope, owner }: Subject, word: string): Promise<Change> {
  return applyChange(context, owner, (entries) => {
    const changed = removeWord(entries, word);
    if (changed.change.before.length === 0) throw new UserError((t) => t(`dictionary.notFound.${scope}`, { word }));
    return changed;
  });
}

/** The reply to a removal. @throws StoreError */
export async function removedMessage(interaction: RepliableInteraction, context: DictionaryContext, { scope }: Subject, change: Change) {
  return asPrivate(changedMessage(context.t, scope, change, await keepUndo(interaction, context, change)));
}

/** @throws UserError if it is too late; StoreError */
export async function undo(
  interaction: RepliableInteraction,
  { dictionaries, store, t }: DictionaryContext,
  { scope, owner }: Subject,
  key: string,
): Promise<CardMessage> {
  const { data: change } = changeSchema.safeParse(await readKeptValue(store, interaction.user.id, key));
  if (!change) throw new UserError((t) => t('dictionary.undoExpired'));
  await dictionaries.change(owner, (entries) => undoChange(entries, change, maxEntries(owner)));
  return notice(t(`dictionary.undone.${scope}`), 'done');
}

/** A page of the dictionary. @throws StoreError */
export async function loadList(
  interaction: RepliableInteraction,
  { dictionaries, t }: DictionaryContext,
  { scope, owner, mayChange }: Subject,
  { page, typed }: { page: number; typed: string },
): Promise<CardMessage> {
  const entries = await dictionaries.entries(owner);
  const facts = { count: entries.length, most: maxEntries(owner), inGuild: interaction.inCachedGuild() };
  return listMessage(t, { scope, entries: findEntries(entries, typed), typed, page, mayChange, ...facts });
}

/** Sends the dictionary as a file. @throws UserError if it is empty; StoreError */
export async function sendExport(interaction: RepliableInteraction, context: DictionaryContext, { scope, owner }: Subject): Promise<void> {
  const entries = await context.dictionaries.entries(owner);
  if (entries.length === 0) throw new UserError((t) => t(`dictionary.empty.${scope}`), { isEmptyState: true });
  const attachment = new AttachmentBuilder(Buffer.from(writeCsv(findEntries(entries, ''))), { name: EXPORT_NAME });
  await interaction.reply({ ...asPrivate(exportMessage(context.t, scope, EXPORT_NAME)), files: [attachment] });
}

/** Imports what it can from the file, and reports what it couldn't. @throws UserError if it can't be read; StoreError */
export async function importFile(interaction: ModalSubmitInteraction, context: DictionaryContext, subject: Subject): Promise<void> {
  const uploaded = interaction.fields.getUploadedFiles('file', true).first();
  if (!uploaded) throw new UserError((t) => t('general.expiredMessage'));
  if (uploaded.size > MAX_FILE_BYTES)
    throw new UserError((t) => t('dictionary.fileTooLarge', { file: uploaded.name, limit: MAX_FILE_BYTES }));
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  await context.dictionaries.inTurn(() => importUploaded(interaction, context, subject, uploaded));
}

async function importUploaded(
  interaction: ModalSubmitInteraction,
  context: DictionaryContext,
  { scope, owner }: Subject,
  uploaded: Attachment,
): Promise<void> {
  const { t } = context;
  const content = await context.attachments.readText(uploaded, context.signal, MAX_FILE_BYTES);
  // Decoding replaces what isn't UTF-8 with the second of these.
  if (/[\0\ufffd]/.test(content)) throw new UserError((t) => t('dictionary.notText', { file: uploaded.name }));
  const mode = readMode(interaction);
  const csv = await readCsv(content, context.publicT, maxEntries(owner));
  const { change, skipped } = await takeEntries(context, owner, csv, mode);
  const isNothing = csv.entries.length === 0;
  const view = {
    sentence: isNothing ? t('dictionary.importedNothing', { file: uploaded.name }) : importSentence(context, change, mode),
    accent: isNothing ? ('failed' as const) : ('done' as const),
    skipped,
    unread: csv.unread,
    undoKey: isNothing ? null : await keepUndo(interaction, context, change),
    report: needsReport(skipped) ? REPORT_NAME : null,
  };
  const lines = [...reportLines(t, skipped), ...(csv.unread ? [unreadLine(t, csv.unread)] : [])];
  const report = Buffer.from(`${lines.join('\n')}\n`);
  const files = view.report === null ? [] : [new AttachmentBuilder(report, { name: REPORT_NAME })];
  await interaction.editReply({ ...importMessage(t, scope, view), files });
}

/** A file without entries changes nothing, not even if it was to replace the existing ones. */
async function takeEntries(context: DictionaryContext, owner: Owner, csv: CsvEntries, mode: ImportMode) {
  const skipped = [...csv.skipped];
  if (csv.entries.length === 0) return { change: { before: [], after: [] }, skipped };
  const most = maxEntries(owner);
  let left: Changed['left'] = [];
  const change = await applyChange(context, owner, (entries) => {
    const changed = importEntries(entries, csv.entries, mode, most);
    left = changed.left;
    return changed;
  });
  for (const entry of left) skipLine(skipped, csv.lines.get(entry) ?? 0, 'full');
  return { change, skipped: skipped.sort((a, b) => a.from - b.from) };
}

function importSentence({ t }: DictionaryContext, { before, after }: Change, mode: ImportMode): string {
  if (mode === 'replace' && before.length > 0) return t('dictionary.importedInstead', { count: after.length, removed: before.length });
  return before.length === 0
    ? t('dictionary.importedNew', { added: after.length - before.length })
    : t('dictionary.imported', { added: after.length - before.length, changed: before.length });
}

/** Changes to one dictionary run one after another. @throws what `by` throws, StoreError */
async function applyChange({ dictionaries }: DictionaryContext, owner: Owner, by: (entries: readonly Entry[]) => Changed): Promise<Change> {
  let change: Change = { before: [], after: [] };
  await dictionaries.change(owner, (entries) => {
    const changed = by(entries);
    change = changed.change;
    return changed.entries;
  });
  return change;
}

/** Stores what is needed to undo the change, sealed, for as long as its reply can be edited. @returns the key @throws StoreError */
function keepUndo({ user }: RepliableInteraction, { store }: DictionaryContext, change: Change): Promise<string> {
  return keepValue(store, user.id, change, KEEP_QUESTION_MS);
}

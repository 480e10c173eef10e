// The forms of /settings, and how their fields are read.
import {
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  type ModalSubmitInteraction,
  TextInputStyle,
} from 'discord.js';
import type { OperatorBudgets } from '../charging/index.ts';
import { customId, part } from '../discord/custom-ids.ts';
import { UserError } from '../discord/errors.ts';
import type { KeyIn, Sentence, Translator } from '../locales/index.ts';
import { DELAY_SECONDS, type GuildSettings, LONGEST_TEXT, MAX_PREFIX } from '../store/settings.ts';

type BudgetName = KeyIn<'settings.budgetFields'>;
type Form = APIModalInteractionResponseCallbackData;

export const searchFormId = customId('settings:search', { target: part.text });
export const capFormId = customId('settings:cap', {});
export const budgetsFormId = customId('settings:budgets', {});
export const readingFormId = customId('settings:reading', {});
export const importFormId = customId('settings:import', {});

/** Searches for a voice. @param target `server`, or the id of a voice channel */
export function searchForm(t: Translator, target: string): Form {
  const field = { type: ComponentType.TextInput, style: TextInputStyle.Short, custom_id: 'title', min_length: 1, max_length: 90 } as const;
  return {
    custom_id: searchFormId.write({ target }),
    title: t('settings.searchTitle'),
    components: [{ type: ComponentType.Label, label: t('settings.searchLabel'), component: field }],
  };
}

export function capForm(t: Translator, { lengthCap }: GuildSettings): Form {
  return {
    custom_id: capFormId.write({}),
    title: t('settings.capTitle'),
    components: [numberField('lengthCap', t('settings.capLabel', { most: LONGEST_TEXT }), t('settings.capHint'), lengthCap)],
  };
}

export function budgetsForm(t: Translator, settings: GuildSettings, budgets: OperatorBudgets): Form {
  const max = maxBudgets(budgets);
  return {
    custom_id: budgetsFormId.write({}),
    title: t('settings.budgetsTitle'),
    components: budgetNames.map((name) => {
      const most = finite(max[name]);
      const hint = most === null ? t('settings.budgetHintUnlimited') : t('settings.budgetHint', { most });
      return numberField(name, t(`settings.budgetFields.${name}`), hint, settings[name]);
    }),
  };
}

/** Asks how long messages may wait to be read, and which are left out. */
export function readingForm(t: Translator, { reading }: GuildSettings): Form {
  const prefix = { type: ComponentType.TextInput, style: TextInputStyle.Short, custom_id: 'ignorePrefix', required: false } as const;
  return {
    custom_id: readingFormId.write({}),
    title: t('reading.panel.formTitle'),
    components: [
      numberField(
        'maxDelay',
        t('reading.panel.delayLabel'),
        t('reading.panel.delayHint', { least: DELAY_SECONDS.least, most: DELAY_SECONDS.most, usual: DELAY_SECONDS.usual }),
        reading.maxDelay,
      ),
      {
        type: ComponentType.Label,
        label: t('reading.panel.prefixLabel'),
        description: t('reading.panel.prefixHint'),
        component: { ...prefix, max_length: MAX_PREFIX, ...(reading.ignorePrefix === '' ? {} : { value: reading.ignorePrefix }) },
      },
    ],
  };
}

/** @throws UserError if the delay is not a number of seconds in the allowed range */
export function readReadingForm(form: ModalSubmitInteraction, { reading }: GuildSettings): Pick<GuildSettings, 'reading'> {
  const { least, most, usual } = DELAY_SECONDS;
  const maxDelay = readNumber(form, 'maxDelay', (t) => t('reading.panel.delayLabel'), least, most) ?? usual;
  return { reading: { ...reading, maxDelay, ignorePrefix: form.fields.getTextInputValue('ignorePrefix').trim().slice(0, MAX_PREFIX) } };
}

/** Asks for a file of exported settings. */
export function importForm(t: Translator): Form {
  return {
    custom_id: importFormId.write({}),
    title: t('settings.importTitle'),
    components: [
      {
        type: ComponentType.Label,
        label: t('settings.importLabel'),
        description: t('settings.importHint'),
        component: { type: ComponentType.FileUpload, custom_id: 'file', min_values: 1, max_values: 1, required: true },
      },
    ],
  };
}

/** @throws UserError if it is not a number of characters */
export function readCap(form: ModalSubmitInteraction): Pick<GuildSettings, 'lengthCap'> {
  return { lengthCap: readNumber(form, 'lengthCap', (t) => t('settings.capTitle'), 1, LONGEST_TEXT) };
}

/** @throws UserError if a field is not a number, or more than the operator allows */
export function readBudgets(form: ModalSubmitInteraction, budgets: OperatorBudgets): Pick<GuildSettings, BudgetName> {
  const max = maxBudgets(budgets);
  const read = (name: BudgetName) => readNumber(form, name, (t) => t(`settings.budgetFields.${name}`), 0, max[name]);
  return {
    guildBudget: read('guildBudget'),
    memberBudget: read('memberBudget'),
    guildMinutes: read('guildMinutes'),
    memberMinutes: read('memberMinutes'),
  };
}

const budgetNames = ['guildBudget', 'memberBudget', 'guildMinutes', 'memberMinutes'] as const satisfies BudgetName[];

function maxBudgets({ speech, transcription }: OperatorBudgets): Record<BudgetName, number> {
  return {
    guildBudget: speech.guild,
    memberBudget: speech.member,
    guildMinutes: Math.floor(transcription.guild / 60),
    memberMinutes: Math.floor(transcription.member / 60),
  };
}

function numberField(id: string, label: string, hint: string, value: number | null): APILabelComponent {
  return {
    type: ComponentType.Label,
    label,
    description: hint,
    component: {
      type: ComponentType.TextInput,
      style: TextInputStyle.Short,
      custom_id: id,
      required: false,
      max_length: 15,
      ...(value === null ? {} : { value: String(value) }),
    },
  };
}

/** Null = no limit. */
function finite(most: number): number | null {
  return Number.isFinite(most) ? most : null;
}

/** Digits, or thousands separated by the same mark: 1,000 and 1.000 are a thousand, while 1.5 and 0.500 are not whole numbers. */
const WHOLE_NUMBER = /^(?:\d+|[1-9]\d{0,2}([\s.,'’_])\d{3}(?:\1\d{3})*)$/;

/** Null if the field is empty. @throws UserError */
function readNumber(form: ModalSubmitInteraction, id: string, field: Sentence, min: number, max: number): number | null {
  const written = form.fields.getTextInputValue(id).trim();
  if (written === '') return null;
  const number = WHOLE_NUMBER.test(written) ? Number(written.replace(/\D/g, '')) : Number.NaN;
  if (!(number >= min && number <= max))
    throw new UserError((t) => {
      const most = finite(max);
      return most === null
        ? t('settings.wrongNumberUnlimited', { field: field(t), least: min })
        : t('settings.wrongNumber', { field: field(t), least: min, most });
    });
  return number;
}

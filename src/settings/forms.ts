// The forms of /settings, and how their fields are read.
import {
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  type ModalSubmitInteraction,
  TextInputStyle,
} from 'discord.js';
import { customId } from '../bot/discord-limits.ts';
import { UserError } from '../bot/user-error.ts';
import type { OperatorBudgets } from '../credit/index.ts';
import { en } from '../locales/en/index.ts';
import { type GuildSettings, LONGEST_TEXT } from './index.ts';

const text = en.settings;

type BudgetName = keyof typeof text.budgetFields;
type Form = APIModalInteractionResponseCallbackData;

/** Searches for a voice. @param target `server`, or the id of a voice channel */
export function searchForm(target: string): Form {
  const field = { type: ComponentType.TextInput, style: TextInputStyle.Short, custom_id: 'title', min_length: 1, max_length: 90 } as const;
  return {
    custom_id: customId('settings', 'search', target),
    title: text.searchTitle,
    components: [{ type: ComponentType.Label, label: text.searchLabel, component: field }],
  };
}

export function capForm({ lengthCap }: GuildSettings): Form {
  return {
    custom_id: customId('settings', 'cap'),
    title: text.capTitle,
    components: [numberField('lengthCap', text.capLabel(LONGEST_TEXT), text.capHint, lengthCap)],
  };
}

export function budgetsForm(settings: GuildSettings, budgets: OperatorBudgets): Form {
  const max = maxBudgets(budgets);
  return {
    custom_id: customId('settings', 'budgets'),
    title: text.budgetsTitle,
    components: budgetNames.map((name) => numberField(name, text.budgetFields[name], text.budgetHint(max[name]), settings[name])),
  };
}

/** @throws UserError if it is not a number of characters */
export function readCap(form: ModalSubmitInteraction): Pick<GuildSettings, 'lengthCap'> {
  return { lengthCap: readNumber(form, 'lengthCap', text.capTitle, 1, LONGEST_TEXT) };
}

/** @throws UserError if a field is not a number, or more than the operator allows */
export function readBudgets(form: ModalSubmitInteraction, budgets: OperatorBudgets): Pick<GuildSettings, BudgetName> {
  const max = maxBudgets(budgets);
  const read = (name: BudgetName) => readNumber(form, name, text.budgetFields[name], 0, max[name]);
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

/** Digits, or thousands separated by the same mark: 1,000 and 1.000 are a thousand, while 1.5 and 0.500 are not whole numbers. */
const WHOLE_NUMBER = /^(?:\d+|[1-9]\d{0,2}([\s.,'’_])\d{3}(?:\1\d{3})*)$/;

/** Null if the field is empty. @throws UserError */
function readNumber(form: ModalSubmitInteraction, id: string, field: string, min: number, max: number): number | null {
  const written = form.fields.getTextInputValue(id).trim();
  if (written === '') return null;
  const number = WHOLE_NUMBER.test(written) ? Number(written.replace(/\D/g, '')) : Number.NaN;
  if (!(number >= min && number <= max)) throw new UserError((t) => t.settings.wrongNumber(field, min, max));
  return number;
}

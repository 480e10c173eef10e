// The form of /dictionary import: a file, and what becomes of the entries that are there already.
import { type APIModalInteractionResponseCallbackData, ComponentType, type ModalSubmitInteraction } from 'discord.js';
import { customId } from '../bot/discord-limits.ts';
import type { Words } from '../locales/index.ts';
import type { ImportMode } from './changes.ts';
import type { Scope } from './subject.ts';

const MODES = ['merge', 'replace'] as const satisfies ImportMode[];

export function importForm({ dictionary: t }: Words, scope: Scope): APIModalInteractionResponseCallbackData {
  return {
    custom_id: customId('dictionary', 'import', scope),
    title: t.importTitle[scope],
    components: [
      {
        type: ComponentType.Label,
        label: t.importLabel,
        description: t.importHint,
        component: { type: ComponentType.FileUpload, custom_id: 'file', min_values: 1, max_values: 1, required: true },
      },
      {
        type: ComponentType.Label,
        label: t.importModeLabel,
        component: {
          type: ComponentType.StringSelect,
          custom_id: 'mode',
          options: MODES.map((value) => ({ label: t.importModes[value], value, default: value === 'merge' })),
          required: true,
        },
      },
    ],
  };
}

export function readMode({ fields }: ModalSubmitInteraction): ImportMode {
  return fields.getStringSelectValues('mode')[0] === 'replace' ? 'replace' : 'merge';
}

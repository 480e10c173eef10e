// What /help says, in Polish.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';

export const help: Words['help'] = {
  intro: 'Napisz coś, a powiem to na twoim kanale głosowym. Przyślij nagranie, a zapiszę, co w nim słychać.',
  stepsTitle: 'Na początek',
  steps: (say, voices) =>
    `1. Dołącz do kanału głosowego.\n2. Wpisz ${say} i to, co mam powiedzieć. Głos wybierzesz w opcji ${inlineCode('voice')}.\n3. Znajdź ulubiony głos w ${voices}.`,
  asVoiceMessage: (say) => `Nie ma tu kanału głosowego, więc ${say} wyśle ci wiadomość głosową.`,
  groups: {
    speaking: 'Mówienie',
    listening: 'Transkrypcja',
    voices: 'Głosy',
    about: 'Warto wiedzieć',
    admins: 'Dla administratorów',
    more: 'Więcej',
  },
  line: (command, description) => `${command} – ${description}`,
  contextCommands: {
    Transcribe: (name) =>
      `${bold(name)} – kliknij wiadomość prawym przyciskiem (na telefonie przytrzymaj) i wybierz ${bold('Aplikacje')}, aby przeczytać, co w niej słychać`,
    'Make a voice': (name) =>
      `${bold(name)} – kliknij wiadomość prawym przyciskiem (na telefonie przytrzymaj) i wybierz ${bold('Aplikacje')}, aby utworzyć głos z jej nagrania`,
    'Read this aloud': (name) =>
      `${bold(name)} – kliknij wiadomość prawym przyciskiem (na telefonie przytrzymaj) i wybierz ${bold('Aplikacje')}, aby usłyszeć ją na swoim kanale głosowym`,
    'Stop reading this member': (name) =>
      `${bold(name)} – dla moderatorów: kliknij użytkownika prawym przyciskiem i wybierz ${bold('Aplikacje')}, aby wyłączyć lub włączyć czytanie jego wiadomości`,
  },
};
